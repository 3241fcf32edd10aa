import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { indented, lineBreakAt, outdented, type Replacement } from './indent.ts'

/** The text afterwards, with `[` and `]` around what is selected, as the cases are written too. */
function after(marked: string, change: (text: string, from: number, to: number) => Replacement): string {
  const from = marked.indexOf('[')
  const to = marked.indexOf(']') - 1
  const text = marked.replace(/[[\]]/g, '')
  const { from: start, to: end, text: put, select } = change(text, from, to)
  const changed = text.slice(0, start) + put + text.slice(end)
  return `${changed.slice(0, select[0])}[${changed.slice(select[0], select[1])}]${changed.slice(select[1])}`
}

const cases: [what: string, before: string, indentedText: string, outdentedText: string][] = [
  ['a caret', 'a[]b', 'a  []b', 'a[]b'],
  ['a caret behind an indentation', '    a[]', '    a  []', '  a[]'],
  ['a caret within an indentation', ' []  a', '   []  a', '[] a'],
  ['a tab', '\ta[]', '\ta  []', 'a[]'],
  ['a selection in a line', 'x\n  a[b]c\ny', 'x\n    a[b]c\ny', 'x\na[b]c\ny'],
  ['lines', 'x\n  [a\n   b]\ny', 'x\n    [a\n     b]\ny', 'x\n[a\n b]\ny'],
  ['lines up to the beginning of the next', '[  a\n]b', '  [  a\n]b', '[a\n]b'],
]
for (const [what, before, more, less] of cases) {
  test(`${what} is indented and outdented`, () => {
    assert.equal(after(before, indented), more)
    assert.equal(after(before, outdented), less)
  })
}

test('a new line begins where the last one does', () => {
  assert.equal(lineBreakAt('if (a) {\n    b()', 17), '\n    ')
  assert.equal(lineBreakAt('    b()', 2), '\n  ')
  assert.equal(lineBreakAt('', 0), '\n')
})

test('what is indented is as it was once it is outdented', () => {
  const source = fc.array(fc.constantFrom('a', ' ', '\n', '\t'), { maxLength: 30 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(source, fc.nat(), fc.nat(), (text, a, b) => {
      const [from = 0, to = 0] = [a % (text.length + 1), b % (text.length + 1)].sort((x, y) => x - y)
      if (from === to) return
      const there = indented(text, from, to)
      const between = text.slice(0, there.from) + there.text + text.slice(there.to)
      const back = outdented(between, ...there.select)
      assert.equal(between.slice(0, back.from) + back.text + between.slice(back.to), text)
    }),
  )
})
