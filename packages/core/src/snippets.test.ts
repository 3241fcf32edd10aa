import assert from 'node:assert/strict'
import { test } from 'node:test'
import { includeSnippets, snippetsNamedIn } from './snippets.ts'

const snippet = (name: string, script = '') => ({ name, script })

test('the snippets that a script names are found, and those that these name', () => {
  const all = [snippet('a', "require('./b.js')"), snippet('b'), snippet('c')]
  const named = (script: string) => snippetsNamedIn([script], all).map(({ name }) => name)
  assert.deepEqual(named("import './snippets/a.js'"), ['a', 'b'])
  assert.deepEqual(named('{{> c}}').includes('c'), true)
  assert.deepEqual(named('const x = 1'), [])
})

test('an inclusion is replaced by the text of the snippet with its values', () => {
  const all = [
    snippet('auth', "request.headers.auth = '{{token}}' // {{other}}\n{{> log}}"),
    snippet('log', "console.log('x')"),
  ]
  assert.equal(
    includeSnippets('{{> auth token="T1"}}\n{{> "log"}};', all),
    "request.headers.auth = 'T1' // {{other}}\nconsole.log('x')\nconsole.log('x');",
  )
})

test('inclusions that do not end, or of what is not there, are refused', () => {
  assert.throws(() => includeSnippets('{{> x}}', []), /there is no snippet "x"/)
  assert.throws(() => includeSnippets('{{> a}}', [snippet('a', '{{> a}}')]), /include each other more than 8 deep/)
  const long = snippet('long', '{{> longer}}'.repeat(100))
  assert.throws(
    () => includeSnippets('{{> long}}', [long, snippet('longer', 'x'.repeat(20_000))]),
    /longer than 1 MiB together/,
  )
})
