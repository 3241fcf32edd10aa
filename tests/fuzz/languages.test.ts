/** What users write in little languages: templates, schedules, paths, patterns. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  cleanErrorMessage,
  encodings,
  nextOccurrence,
  problemOfSchedule,
  TemplateError,
} from '../../packages/core/src/index.ts'
import { findValues, problemOfJsonPath } from '../../packages/core/src/json-path.ts'
import { matches, problemOfPattern } from '../../packages/core/src/pattern.ts'
import { OUTPUT_LIMIT, problemOfTemplate, renderTemplate } from '../../packages/core/src/template.ts'
import { fuzz, never, only, textLike } from './fuzz.ts'

const templates = textLike(
  [
    'https://{{HOST}}/{{{PATH}}}?t={{moment "YYYY-MM-DD"}}',
    '{{#each TAGS}}{{@index}}: {{this}}{{#unless @last}}, {{/unless}}{{/each}}',
    '{{#if (eq A "x")}}yes{{else if B}}no{{else}}{{../C}}{{/if}}{{! a comment }}{{~A~}}',
    '{{#with NESTED}}{{a.b.[c d]}}{{/with}}',
  ],
  [
    '{{',
    '}}',
    '{{{',
    '}}}',
    '{{#',
    '{{/',
    'each ',
    'if ',
    'else',
    '../',
    '@index',
    '(',
    ')',
    '"',
    "'",
    '\\',
    '~',
    '[',
    ']',
    '=',
    'this',
    '__proto__',
    'constructor',
    '{{!--',
    '--}}',
    '{{#each TAGS}}{{#each ../TAGS}}',
    '{{/each}}{{/each}}',
  ],
)
const variables = { HOST: 'shop.test', A: 'x', TAGS: ['a:b', 'c', 'd'], NESTED: { a: { b: { 'c d': 1 } } } }

fuzz('a template renders within its limit or is refused', {
  from: fc.tuple(templates, fc.constantFrom(...Object.values(encodings))),
  attempt([template, encode]) {
    const problem = problemOfTemplate(template)
    const context = { variables, encode, now: new Date(0), random: () => 0.5, uuid: () => 'u' }
    const text = renderTemplate(template, context)
    assert.equal(problem, null)
    // What needs no rendering is the user's own text, whole.
    assert.ok(text.length <= Math.max(OUTPUT_LIMIT, template.length))
  },
  refuses: only(TemplateError),
})

const schedules = textLike(
  ['0 3 * * *', '*/5 9-17 * * mon-fri', '5/15 0 1 JAN,jul *', '@monthly', '0 0 29 2 *', '0 0 13 * 5'],
  ['*', '/', '-', ',', ' ', '\t', '@', '0', '59', '99', 'sun', 'constructor', '__proto__', '@yearly', 'L', '?', '#'],
)

fuzz('a schedule is read or told to be wrong, and its times come later', {
  from: fc.record({
    cron: schedules,
    timezone: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom('UTC', 'Europe/Berlin', 'Australia/Lord_Howe') },
      textLike(['Europe/Berlin'], ['/', '+', 'GMT', 'Etc', '__proto__']),
    ),
    atMs: fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) }),
  }),
  attempt({ cron, timezone, atMs }) {
    const problem = problemOfSchedule({ cron, timezone })
    if (problem?.field === 'timezone') return
    const next = nextOccurrence({ cron, timezone }, atMs)
    if (problem !== null) return
    assert.ok(next !== null && next > atMs && next % 60_000 === 0)
  },
  refuses: never,
  share: 0.2,
})

const paths = textLike(
  [
    '$',
    '$..book[?@.price < $.max].title',
    "$['a b'][0,1,-1:]",
    '$[::-1]',
    '$..[?count(@.*) > 3].title',
    "$[?match(@.a, 'S.*') && !(@.b == null)]",
    '$.items.length',
    '$[?length(value($..x)) >= 1.5e3]',
  ],
  [
    '$',
    '@',
    '.',
    '..',
    '[',
    ']',
    '*',
    '?',
    '(',
    ')',
    '&&',
    '||',
    '!',
    '==',
    '<=',
    ',',
    ':',
    "'",
    '"',
    '\\u',
    '\\',
    '-0',
    '1e9',
    '9007199254740992',
    'length(',
    'search(',
    'true',
    'null',
    '((((((((((((((((((((',
  ],
)
const document = {
  book: [
    { title: 'Sayings', price: 8.95, a: 'S1' },
    { title: 'Sword', price: 12.99, x: [1, [2, [3]]] },
  ],
  'a b': [1, 2, 3],
  max: 10,
  items: 'four',
}

fuzz('a path finds values in a document, or says in words why not', {
  from: paths,
  attempt(path) {
    const problem = problemOfJsonPath(path)
    const found = findValues(path, document)
    assert.equal(problem, null)
    assert.ok(Array.isArray(found))
  },
  // No TypeError and the like: those would be ours.
  refuses: (error) =>
    error instanceof Error && error.constructor === Error && /^the (JSON path|document) /.test(error.message),
})

fuzz('a pattern is searched for or refused', {
  from: fc.tuple(
    textLike(
      ['^(a+)+$', '\\d{3}-[A-Z]*', '(?i:x|y)?', '[[:alpha:]]'],
      [
        '(',
        ')',
        '[',
        ']',
        '{',
        '}',
        '{1000}',
        '*',
        '+',
        '?',
        '|',
        '\\',
        '\\p{',
        '(?',
        '(?P<n>',
        '^',
        '$',
        '.',
        '{99999}',
      ],
    ),
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.boolean(),
  ),
  attempt([pattern, text, whole]) {
    if (problemOfPattern(pattern) === null) assert.equal(typeof matches(pattern, text, whole), 'boolean')
  },
  refuses: never,
  share: 0.2,
})

fuzz('a message is cleaned, and cleaning what is clean changes nothing', {
  from: textLike(
    [
      'connect ECONNREFUSED 10.0.0.1:443 at 2026-01-01T10:00:00Z',
      'Expected "a" to equal 1234 (took 12.5 ms) ?id=7&x=y',
      '::ffff:1.2.3.4 a@b.test 0xdeadbeef',
    ],
    ['"', ':', '::', '.', '@', '?a=', '0x', '1', '99', ' ms', '-', '\n', '\t', '<', '>', '\u001b['],
  ),
  attempt(message) {
    const cleaned = cleanErrorMessage(message)
    assert.ok(cleaned.length <= 2000)
    assert.equal(cleanErrorMessage(cleaned), cleaned)
  },
  refuses: never,
  share: 0.2,
})
