import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MASK, scrubber, scrubTexts } from './scrub.ts'

const hidden = fc.string({ unit: 'binary', minLength: 4, maxLength: 40 })
const around = fc.string({ maxLength: 30 })

const spellings: [name: string, spell: (text: string) => string][] = [
  ['as it is', (text) => text],
  ['in an address', (text) => encodeURIComponent(text)],
  ['in a form', (text) => encodeURIComponent(text).replaceAll('%20', '+')],
  ['in JSON', (text) => JSON.stringify(text).slice(1, -1)],
  ['in hexadecimal', (text) => Buffer.from(text).toString('hex')],
  ['in capital hexadecimal', (text) => Buffer.from(text).toString('hex').toUpperCase()],
]
for (const [name, spell] of spellings)
  test(`a secret is found ${name}`, () => {
    fc.assert(
      fc.property(hidden, around, around, (secret, before, after) => {
        const well = secret.toWellFormed()
        assert.ok(scrubber([well])(before + spell(well) + after).includes(MASK))
      }),
    )
  })

test('a secret is found in base64, wherever it begins there', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', minLength: 12, maxLength: 60 }),
      around,
      around,
      (secret, before, after) => {
        const well = secret.toWellFormed()
        for (const alphabet of ['base64', 'base64url'] as const) {
          const text = Buffer.from(before + well + after).toString(alphabet)
          assert.ok(scrubber([well])(text).includes(MASK))
        }
      },
    ),
  )
})

test('a text without any of them is the same text, however many there are', () => {
  fc.assert(
    fc.property(fc.array(hidden, { maxLength: 30 }), fc.string({ maxLength: 200 }), (secrets, text) => {
      const scrub = scrubber(secrets.filter((secret) => !text.includes(secret)))
      const told = scrub(text)
      assert.ok(told === text || told.includes(MASK))
      const plain = `0123 ${text.replace(/[^ ]/g, '-')}`
      if (!secrets.some((secret) => /^[-0-9 ]+$/.test(secret))) assert.equal(scrub(plain), plain)
    }),
  )
})

test('the longest goes first, short ones are let be, and so is what looks alike', () => {
  const scrub = scrubber(['abcd', 'abcdefgh', 'xyz', ''])
  assert.equal(scrub('1 abcdefgh 2 abcd 3 xyz 4 abce'), `1 ${MASK} 2 ${MASK} 3 xyz 4 abce`)
  assert.equal(scrubber(['bcdefgh', 'abcd'])('abcdefgh'), `a${MASK}`)
})

test('the beginning of one at the end of a text that was shortened goes too', () => {
  assert.equal(scrubber(['canary-value'])('told canar…'), `told ${MASK}…`)
  assert.equal(scrubber(['canary-value'])('told can…'), 'told can…')
})

test('every text in a value and every key goes through it, and what holds none stays the same value', () => {
  const scrub = scrubber(['canary'])
  const value = { a: [1, null, 'plain', { canary: 'the canary' }], b: true }
  assert.deepEqual(scrubTexts(value, scrub), { a: [1, null, 'plain', { [MASK]: `the ${MASK}` }], b: true })
  const plain = { a: [1, null, 'plain', { key: 'text' }], b: true }
  assert.equal(scrubTexts(plain, scrub), plain)
})
