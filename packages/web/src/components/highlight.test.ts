import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { highlight, type Look } from './highlight.ts'

const textOf = (lines: ReturnType<typeof highlight>) =>
  lines.map((pieces) => pieces.map(({ text }) => text).join('')).join('\n')

/** What has the look, in the order of the text. */
const having = (look: Look, code: string) =>
  highlight(code)
    .flat()
    .filter((piece) => piece.look === look)
    .map(({ text }) => text)

test('the pieces together are the text, whatever it is', () => {
  const scraps = fc.constantFrom(
    '`',
    '${',
    '}',
    '{',
    "'",
    '"',
    '/',
    '/*',
    '*/',
    '//',
    '\\',
    '\n',
    '[',
    'await',
    'x',
    '1',
    ' ',
    '😀',
  )
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(scraps).map((parts) => parts.join('')),
  )
  fc.assert(fc.property(anything, (code) => assert.equal(textOf(highlight(code)), code)))
})

test('keywords are told from properties and from names that look like them', () => {
  assert.deepEqual(having('keyword', 'const type = await from.delete()'), ['const', 'await'])
  assert.deepEqual(having('keyword', "import { test as it } from 'x'"), ['import', 'as', 'from'])
  assert.deepEqual(having('keyword', 'return { default: 1 }'), ['return'])
  assert.deepEqual(having('type', 'function go(page: Page): Promise<void> {}'), ['Page', 'Promise'])
  assert.deepEqual(having('call', 'page.goto(start); test.step(x)'), ['goto', 'step'])
})

test('a template is a text with code in it, however deep', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code of others
  const code = 'a(`one ${b({ c: `two ${3}` })} four`)'
  assert.deepEqual(having('string', code), ['`one ', '`two ', '`', ' four`'])
  assert.deepEqual(having('call', code), ['a', 'b'])
})

test('a slash divides after a value, and begins a pattern elsewhere', () => {
  assert.deepEqual(having('string', 'expect(page).toHaveTitle(/a[/]b/i)'), ['/a[/]b/i'])
  assert.deepEqual(having('string', 'const ratio = width / height / 2'), [])
  assert.deepEqual(having('string', 'return /x/'), ['/x/'])
})

test('what is left open ends with its line, a comment and a template with the text', () => {
  assert.deepEqual(having('string', "const a = 'open\nconst b = 1"), ["'open"])
  assert.deepEqual(having('comment', 'a /* open\nb'), ['/* open', 'b'])
  assert.deepEqual(having('string', '`open\nb'), ['`open', 'b'])
})
