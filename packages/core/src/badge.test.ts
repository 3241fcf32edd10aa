import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BADGE_STATES, BADGE_STYLES, BADGE_THEMES } from '@vedette/schema'
import fc from 'fast-check'
import { drawBadge } from './badge.ts'

const shop = { name: 'Shop', state: 'passing', responseTimeMs: null, style: 'flat', theme: 'default' } as const

test('a badge says its name and how things are, with the response time where it is wanted', () => {
  assert.match(drawBadge(shop), /<title>Shop: passing<\/title>/)
  assert.match(drawBadge({ ...shop, responseTimeMs: 123.4 }), /<title>Shop: passing · 123 ms<\/title>/)
  assert.match(drawBadge({ ...shop, style: 'for-the-badge' }), />SHOP<.*>PASSING</)
})

test('every state has its colour, every style and theme its look', () => {
  const drawn = new Set<string>()
  for (const state of BADGE_STATES)
    for (const style of BADGE_STYLES)
      for (const theme of BADGE_THEMES) drawn.add(drawBadge({ ...shop, state, style, theme }))
  assert.equal(drawn.size, BADGE_STATES.length * BADGE_STYLES.length * BADGE_THEMES.length)
})

test('no name breaks out of its badge', () => {
  const hostile = `</text><script>alert("1")</script>&'\u202e\u0000\u001b[31m`
  const drawn = drawBadge({ ...shop, name: hostile })
  assert.ok(!drawn.includes('<script') && !/[\p{Cc}\u202e]/u.test(drawn))
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (name) => {
      const svg = drawBadge({ ...shop, name })
      // What is left without the marks that we draw has none.
      const texts = svg.split(/<[^<>]*>/)
      assert.ok(texts.every((text) => !/[<>"']/.test(text)))
      assert.ok(svg.isWellFormed() && svg.length < 4000)
      const attributes = [...svg.matchAll(/aria-label="([^"]*)"/g)]
      assert.equal(attributes.length, 1)
    }),
  )
})
