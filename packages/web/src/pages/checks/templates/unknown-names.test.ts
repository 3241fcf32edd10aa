import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesSetBy, unknownNames } from './unknown-names.ts'

const known = new Set(['HOST', 'a-b'])
const cases: [text: string, unknown: string[]][] = [
  ['https://example.org', []],
  ['{{HOST}}/{{{HOST}}}/{{ HOST }}/{{~HOST~}}/{{&HOST}}/{{a-b}}', []],
  ['{{NOPE}}', ['NOPE']],
  ['{{{NOPE}}} {{ NOPE }} {{~ALSO~}}', ['NOPE', 'ALSO']],
  ['\\{{NOPE}}', []],
  ['{{NOPE', []],
  ['{{}} {{ }}', []],
  ['{{! NOPE}} {{!-- NOPE --}}', []],
  ['{{$UUID}} {{$RANDOM_NUMBER}} {{moment}} {{moment "2 days ago" "YYYY"}} {{year}}', []],
  ['{{#if NOPE}}{{HOST}}{{else}}{{OTHER}}{{/if}}', ['OTHER']],
  ['{{#each list}}{{name}}{{/each}}', []],
  ['{{~# with thing}}{{name}}{{/with}}', []],
  ['{{thing.name}} {{../name}} {{@index}} {{list.[0]}}', []],
  ['{{this}} {{true}} {{12}}', []],
]
for (const [text, unknown] of cases) {
  test(`of “${text}” ${unknown.length === 0 ? 'every name is known or none is judged' : `${unknown} is unknown`}`, () => {
    assert.deepEqual(unknownNames(text, known), unknown)
  })
}

test('a script names what it sets', () => {
  const script = `
    process.env.TOKEN = data.token
    process.env['USER']='ada'; process . env [ "PAGE" ] ??= '/'
    if (process.env.MODE === 'x' || process.env.OTHER == 1) console.log(process.env.READ)`
  assert.deepEqual(namesSetBy(script), ['TOKEN', 'USER', 'PAGE'])
})
