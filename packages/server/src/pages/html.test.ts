import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { html, trusted } from './html.ts'

test('whatever a text holds, it stays text: nothing in it begins or ends an element, an attribute or an entity', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const written = html`${text}`.text
      assert.doesNotMatch(written, /[<>"']|&(?!(amp|lt|gt|quot|#39);)/)
      assert.doesNotMatch(written, /[^\P{Cc}\t\r\n]/u)
      assert.ok(written.isWellFormed())
    }),
  )
})

test('markup goes into markup as it is, null is nothing, and lists follow one another', () => {
  const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`)
  assert.equal(html`<ul>${items}${null}${[1, null]}</ul>`.text, '<ul><li>a</li><li>&lt;b&gt;</li>1</ul>')
  assert.equal(html`${trusted('<br>')}`.text, '<br>')
})
