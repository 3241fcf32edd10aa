import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { OUTPUT_LIMIT, problemOfTemplate, renderTemplate } from './template.ts'
import { encodings } from './template-encoding.ts'
import { TemplateError } from './template-error.ts'
import type { TemplateVariables } from './template-value.ts'

const NOW = new Date('2026-01-31T15:04:05.678Z')

const VARIABLES: TemplateVariables = {
  CHECK_NAME: 'Orders "API" & co',
  STATUS: '500',
  TIME: 240,
  IS_REMINDER: false,
  TAGS: ['team:orders', 'production', 'tier=1'],
  EMPTY: [],
  NESTED: { city: 'Paris', TIME: 7 },
  TEMPLATE: '{{CHECK_NAME}}',
}

function render(template: string, options: { encode?: (text: string) => string; variables?: TemplateVariables } = {}) {
  let ids = 0
  return renderTemplate(template, {
    variables: options.variables ?? VARIABLES,
    encode: options.encode ?? encodings.plain,
    now: NOW,
    uuid: () => `uuid-${++ids}`,
    random: () => 0.5,
  })
}

const table = (name: string, rows: readonly (readonly [template: string, text: string])[]) =>
  test(name, () => {
    for (const [template, text] of rows) assert.equal(render(template), text, template)
  })

table('names are replaced by their values', [
  ['no braces at all', 'no braces at all'],
  ['', ''],
  ['{{TIME}} ms', '240 ms'],
  ['{{ TIME }}{{TIME}}', '240240'],
  ['{"a":{{TIME}}}', '{"a":240}'],
  ['{"a":{"b":1}}', '{"a":{"b":1}}'],
  ['{{UNKNOWN}}.', '.'],
  ['{{UNKNOWN.deeper.still}}.', '.'],
  ['{{IS_REMINDER}}', 'false'],
  ['{{TAGS}}', 'team:orders,production,tier=1'],
  ['{{NESTED}}', ''],
  ['{{NESTED.city}} {{NESTED/city}} {{NESTED.[city]}}', 'Paris Paris Paris'],
  ['{{TAGS.[1]}} {{TAGS.1}} {{TAGS.length}}', 'production production 3'],
  ['{{"a text"}} {{12}} {{true}}', 'a text 12 true'],
  ['\\{{TIME}} and \\\\{{TIME}}', '{{TIME}} and \\240'],
  ['a {{! a remark }}b {{!-- with }} braces --}}c', 'a b c'],
  ['a  {{~TIME~}}  b', 'a240b'],
])

table('values are never parsed again', [
  ['{{TEMPLATE}}', '{{CHECK_NAME}}'],
  ['{{{TEMPLATE}}}', '{{CHECK_NAME}}'],
  ['{{replace "x" "x" TEMPLATE}}', '{{CHECK_NAME}}'],
])

table('names of the prototype are unknown', [
  ['{{constructor}}', ''],
  ['{{__proto__}}{{__proto__.x}}', ''],
  ['{{constructor.constructor}}{{toString}}{{hasOwnProperty}}', ''],
  ['{{NESTED.constructor}}{{TAGS.constructor}}{{TAGS.map}}{{CHECK_NAME.length}}', ''],
  ['{{lookup NESTED "constructor"}}{{lookup TAGS "__proto__"}}', ''],
  ['{{#with NESTED}}{{constructor}}{{this.constructor}}{{/with}}', ''],
  ['{{#if constructor}}yes{{else}}no{{/if}}', 'no'],
  ['{{#if (has NESTED "constructor")}}yes{{else}}no{{/if}}', 'no'],
])

test('two braces write a value as the place needs it, three write it as it is', () => {
  const at = (encode: (text: string) => string) => render('{{CHECK_NAME}}|{{{CHECK_NAME}}}|{{&CHECK_NAME}}', { encode })
  const raw = 'Orders "API" & co'
  assert.equal(at(encodings.url), `Orders%20%22API%22%20%26%20co|${raw}|${raw}`)
  assert.equal(at(encodings.json), `Orders \\"API\\" & co|${raw}|${raw}`)
  assert.equal(at(encodings.html), `Orders &quot;API&quot; &amp; co|${raw}|${raw}`)
  assert.equal(encodings.header('a\r\nBcc: x\0y'), 'a Bcc: x y')
  assert.equal(encodings.url('\ud800'), '%EF%BF%BD')
})

table('blocks choose and repeat', [
  ['{{#if TIME}}yes{{/if}}', 'yes'],
  ['{{#if EMPTY}}yes{{else}}no{{/if}}', 'no'],
  ['{{#unless IS_REMINDER}}first{{else}}again{{/unless}}', 'first'],
  ['{{#if UNKNOWN}}a{{else if TIME}}b{{else}}c{{/if}}', 'b'],
  ['{{#if UNKNOWN}}a{{else if (eq STATUS "404")}}b{{else}}c{{/if}}', 'c'],
  ['{{#if UNKNOWN}}a{{^}}b{{/if}}', 'b'],
  ['{{^UNKNOWN}}nothing{{else}}something{{/UNKNOWN}}', 'nothing'],
  ['{{#TAGS}}<{{.}}>{{/TAGS}}', '<team:orders><production><tier=1>'],
  ['[{{#each TAGS}}"{{this}}"{{#unless @last}},{{/unless}}{{/each}}]', '["team:orders","production","tier=1"]'],
  ['{{#each TAGS}}{{@index}}{{#if @first}}!{{/if}}{{/each}}', '0!12'],
  ['{{#each EMPTY}}x{{else}}none{{/each}}', 'none'],
  ['{{#each UNKNOWN}}x{{else}}none{{/each}}', 'none'],
  ['{{#each NESTED}}{{@key}}={{this}};{{/each}}', 'city=Paris;TIME=7;'],
  ['{{#each TAGS}}{{TIME}}{{../STATUS}}{{@root.STATUS}} {{/each}}', '240500500 240500500 240500500 '],
  ['{{#with NESTED}}{{city}} {{TIME}} {{../TIME}} {{this.TIME}} {{STATUS}}{{/with}}', 'Paris 7 240 7 500'],
  ['{{#with UNKNOWN}}x{{else}}y{{/with}}', 'y'],
  ['{{#each TAGS}}{{#each ../EMPTY}}{{else}}{{@index}}{{/each}}{{/each}}', '012'],
])

table('helpers compare', [
  ['{{#eq STATUS 500}}same{{else}}other{{/eq}}', 'same'],
  ['{{#is TIME "240"}}same{{/is}}{{#isnt TIME 240}}other{{/isnt}}', 'same'],
  ['{{#if (gt TIME 99)}}slow{{/if}}', 'slow'],
  ['{{gt TIME 240}} {{gte TIME 240}} {{lt TIME 1000}} {{lte "b" "a"}}', 'false true true false'],
  ['{{#compare TIME ">=" 240}}a{{/compare}}{{#compare STATUS "!==" "500"}}b{{/compare}}', 'a'],
  ['{{compare 1 "constructor" 1}}', 'false'],
  ['{{#if (and TIME STATUS)}}both{{/if}}{{#if (or UNKNOWN EMPTY)}}any{{/if}}', 'both'],
  ['{{#if (and (eq STATUS "500") (not IS_REMINDER))}}new{{/if}}', 'new'],
  ['{{#neither UNKNOWN EMPTY}}none{{/neither}}', 'none'],
  ['{{isTruthy "no"}} {{isTruthy "yes"}} {{isFalsey "0"}}', 'false true true'],
  ['{{#unlessEq STATUS 200}}bad{{/unlessEq}}{{#unlessGt TIME 10}}x{{/unlessGt}}', 'bad'],
  ['{{unlessGteq 1 2}} {{unlessLt 1 2}} {{unlessLteq 3 2}}', 'true false true'],
  ['{{#each TAGS}}{{#ifEven @index}}e{{else}}o{{/ifEven}}{{#ifNth 2 @index}}n{{/ifNth}}{{/each}}', 'enoen'],
  ['{{#ifOdd 3}}odd{{/ifOdd}}', 'odd'],
])

table('helpers work on texts and lists', [
  ['{{tagValue TAGS "team" "nobody"}} {{tagValue TAGS "tier"}} {{tagValue TAGS "x" "nobody"}}', 'orders 1 nobody'],
  ['{{#startsWith "Orders" CHECK_NAME}}yes{{/startsWith}}', 'yes'],
  ['{{replace "a-b-a" "a" "$&x"}}', '$&x-b-a'],
  ['{{split "a,b,c" "," 1}} {{#each (split "a b" " ")}}<{{this}}>{{/each}}', 'b <a><b>'],
  ['{{truncate "abcdef" 4}} {{truncate "abc" 3}} {{truncate "a😀b" 3}} {{truncate "abc" "x"}}', 'abc… abc a… abc'],
  ['{{contains TAGS "production"}} {{contains "abc" "bc"}} {{contains NESTED "city"}}', 'true true true'],
  ['{{has TAGS "staging"}} {{has TAGS}}', 'false true'],
  ['{{default UNKNOWN "" "otherwise"}} {{default STATUS "x"}}', 'otherwise 500'],
  ['{{lookup TAGS 0}} {{lookup NESTED "city"}}', 'team:orders Paris'],
])

table('helpers bring time, ids and chance from the context', [
  ['{{$UUID}} {{$UUID}}', 'uuid-1 uuid-2'],
  ['{{$RANDOM_NUMBER}}', '5000'],
  ['{{moment "YYYY-MM-DD[T]HH:mm:ss.SSS"}}', '2026-01-31T15:04:05.678'],
  ['{{date "X"}} {{moment "x"}}', '1769871845 1769871845678'],
  ['{{moment "1 month ago" "YYYY-MM-DD"}} {{moment "next month" "D MMM"}}', '2025-12-31 28 Feb'],
  ['{{moment "2 days ago" "YYYY-MM-DD"}} {{moment "in two weeks" "MM-DD"}}', '2026-01-29 02-14'],
  ['{{moment "3 hours from now" "HH:mm"}} {{moment "last week" "D"}}', '18:04 24'],
  ['{{moment "last monday" "D"}} {{moment "next saturday" "D"}} {{moment "yesterday" "dddd"}}', '26 7 Friday'],
  ['{{moment "2026-07-04T10:00:00Z" "Do MMMM YYYY, h:mm A"}}', '4th July 2026, 10:00 AM'],
  ['{{moment "2026-07-04 10:00" "W"}} {{moment 1769871845 "YYYY"}} {{moment "1769871845678" "ss"}}', '27 2026 05'],
  ['{{moment "nonsense" "YYYY"}}{{moment "2026-99-99" "YYYY"}}{{moment UNKNOWN "YYYY"}}', ''],
  ['{{moment "999999999 years ago" "YYYY"}}', ''],
  ['{{year}} {{year "YY"}} {{year 2}}', '2026 26 26'],
])

test('a variable hides a helper of its name, but none with a dollar', () => {
  const variables = { year: 'mine', $UUID: 'mine' }
  assert.equal(render('{{year}} {{$UUID}} {{year "YY"}}', { variables }), 'mine uuid-1 26')
})

test('what cannot be read is refused with its place', () => {
  const rows: readonly (readonly [template: string, problem: RegExp])[] = [
    ['ab{{', /never closed \(at character 3\)/],
    ['{{A', /never closed/],
    ['{{A}', /expected the end of the tag, not "}"/],
    ['{{}}', /expected a name, not "}"/],
    ['{{A..b}}', /".."|name/],
    ['{{"a}}', /in quotes is never closed/],
    ['{{! a', /comment is never closed/],
    ['{{!-- a }}', /comment is never closed/],
    ['{{#if A}}', /"if" is never closed \(at character 4\)/],
    ['{{/if}}', /never opened/],
    ['{{#if A}}{{/each}}', /"if" is open, but "each" is closed/],
    ['{{else}}', /outside of a block/],
    ['{{#if A}}{{else}}{{else}}{{/if}}', /second "else"/],
    ['{{#if}}{{/if}}', /"if" takes one argument/],
    ['{{frobnicate A}}', /"frobnicate" is no helper/],
    ['{{#frobnicate A}}{{/frobnicate}}', /"frobnicate" is no helper/],
    ['{{eq (constructor A) 1}}', /"constructor" is no helper/],
    ['{{eq A b=1}}', /named arguments/],
    ['{{> partial}}', /partials/],
    [`${'{{#if A}}'.repeat(65)}${'{{/if}}'.repeat(65)}`, /nested too deeply/],
    [`{{eq ${'(eq '.repeat(65)}1${')'.repeat(65)}}}`, /nested too deeply/],
  ]
  for (const [template, problem] of rows) {
    assert.match(problemOfTemplate(template) ?? 'no problem', problem, template)
    assert.throws(() => render(template), TemplateError, template)
  }
  assert.equal(problemOfTemplate('{{#each TAGS}}{{this}}{{/each}}'), null)
})

test('a text that grows too large is refused', () => {
  const long = 'é'.repeat(OUTPUT_LIMIT / 2)
  assert.equal(render('{{A}}', { variables: { A: long } }).length, long.length)
  assert.throws(() => render('{{A}}x', { variables: { A: long } }), /grows beyond 256 KiB/)
  assert.throws(() => render('{{#with "ab"}}{{/with}}{{A}}{{A}}{{A}}', { variables: { A: long } }), /grows beyond/)
  const doubling = `${'{{#with (replace this "a" this)}}'.repeat(40)}${'{{/with}}'.repeat(40)}`
  const aaaa = `{{#with "a${'b'.repeat(1000)}a"}}${doubling}{{/with}}`
  assert.throws(() => render(aaaa), TemplateError)
})

test('loops within loops end before they take long', () => {
  const variables = { A: Array.from({ length: 1000 }, () => 'x') }
  const started = performance.now()
  const loops = `${'{{#each @root.A}}'.repeat(10)}${'{{/each}}'.repeat(10)}`
  assert.throws(() => render(loops, { variables }), /too much work/)
  const texts = { A: Array.from({ length: 1000 }, () => 'x'), B: 'y'.repeat(200_000) }
  assert.throws(
    () => render('{{#each A}}{{#if (contains ../B "z")}}{{/if}}{{/each}}', { variables: texts }),
    /too much work/,
  )
  assert.ok(performance.now() - started < 1000)
})

const pieces = fc.constantFrom(
  '{{',
  '}}',
  '{{{',
  '}}}',
  '{{#if A}}',
  '{{/if}}',
  '{{else}}',
  '{{else if B}}',
  '{{#each TAGS}}',
  '{{/each}}',
  '{{A}}',
  '{{{A}}}',
  '{{! x }}',
  '{{!--',
  '--}}',
  '(',
  ')',
  'eq ',
  '"',
  "'",
  '\\',
  '~',
  '.',
  '../',
  '@index',
  '[',
  ']',
  ' ',
  '=',
  'this',
  '__proto__',
  'constructor',
  '{{moment "',
  '" "YYYY"}}',
  '{{tagValue TAGS "a"}}',
  '\ud800',
  '\0',
  '\n',
  'é',
)
const templates = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.array(fc.oneof(pieces, fc.string({ maxLength: 5 })), { maxLength: 60 }).map((parts) => parts.join('')),
)

test('whatever the template and the values are, rendering ends in a text or in a TemplateError', () => {
  fc.assert(
    fc.property(templates, fc.dictionary(fc.string(), fc.jsonValue()), (template, values) => {
      const variables = { ...JSON.parse(JSON.stringify(values)), A: 'a', TAGS: ['a:b', 'c'] }
      for (const encode of Object.values(encodings)) {
        try {
          assert.equal(typeof render(template, { variables, encode }), 'string')
          assert.equal(problemOfTemplate(template), null)
        } catch (error) {
          assert.ok(error instanceof TemplateError, String(error))
          assert.ok(error.position >= 0 && error.position <= template.length)
        }
      }
    }),
    { numRuns: 3000 },
  )
})

test('a value comes out as it went in, whatever it holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const variables = { A: value }
      assert.equal(render('<{{{A}}}>', { variables }), `<${value}>`)
      assert.equal(JSON.parse(render('"{{A}}"', { variables, encode: encodings.json })), value)
      assert.equal(decodeURIComponent(render('{{A}}', { variables, encode: encodings.url })), value.toWellFormed())
      assert.doesNotMatch(render('{{A}}', { variables, encode: encodings.header }), /[\r\n]/)
    }),
  )
})

test('hostile names find nothing', () => {
  const names = [...Object.getOwnPropertyNames(Object.prototype), ...Object.getOwnPropertyNames(Array.prototype)]
  for (const name of names.filter((known) => known !== 'length')) {
    for (const template of [
      `{{${name}}}`,
      `{{NESTED.${name}}}`,
      `{{TAGS.${name}}}`,
      `{{this.${name}}}`,
      `{{@${name}}}`,
    ]) {
      assert.equal(render(template), '', template)
    }
  }
})

for (const [what, make] of [
  ['tags', (size: number) => '{{A}}'.repeat(size / 5)],
  ['comments', (size: number) => '{{!----}}'.repeat(size / 9)],
  ['brackets', (size: number) => `{{A "${'['.repeat(size)}"}}`],
  ['braces', (size: number) => '{'.repeat(size)],
  ['quotes', (size: number) => '{{eq "" ""}}'.repeat(size / 12)],
  ['names', (size: number) => `{{${'a.'.repeat(size / 2)}a}}`],
  ['spaces', (size: number) => `{{${' '.repeat(size)}A}}`],
  ['backslashes', (size: number) => '\\{{'.repeat(size / 3)],
] as const) {
  test(`a template takes time in proportion to its size, at most: ${what}`, () => {
    const attempt = (size: number) => {
      const template = make(size)
      const started = performance.now()
      try {
        render(template)
      } catch (error) {
        assert.ok(error instanceof TemplateError)
      }
      return performance.now() - started
    }
    // The best of some, so that a busy machine does not count.
    const best = (size: number) => Math.min(...Array.from({ length: 7 }, () => attempt(size)))
    // Shorter ones are parsed once. The square of a quarter would be sixteen times as much.
    const quarter = Math.max(best(17 * 1024), 2)
    const whole = best(64 * 1024)
    assert.ok(whole < 9 * quarter, `${quarter} ms, ${whole} ms`)
  })
}
