import assert from 'node:assert/strict'
import { createHash, webcrypto } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { dataKey, keyIdOf, open, type Place, seal } from './seal.ts'
import { secretsWith } from './secrets.ts'

const KEY = dataKey(Buffer.from(Array.from({ length: 32 }, (_, index) => index)))
const OTHER = dataKey(Buffer.alloc(32, 9))
const PLACE: Place = {
  accountId: '7e9d0000-0000-4000-8000-000000000001',
  table: 'variables',
  column: 'sealed_value',
  rowId: '5b1f0c0e-6c1d-4a39-9b7e-0f6e4f6a2c11',
}
const NONCE = Buffer.alloc(12, 7)
/** What is stored today must open for ever. */
const VECTOR = '7a9252343a64fdcc.BwcHBwcHBwcHBwcHSBhl4KyQstjmeasWZ8R4c1bhYCQd3Tb9kC2sMsNhrg'

test('seals as written down, and opens it again', () => {
  assert.equal(seal(KEY, PLACE, 'Grüße, 世界', NONCE), VECTOR)
  assert.equal(open(KEY, PLACE, VECTOR), 'Grüße, 世界')
})

test('another implementation of AES-256-GCM opens what was sealed', async () => {
  const { subtle } = webcrypto
  const sealed = Buffer.from(VECTOR.slice(VECTOR.indexOf('.') + 1), 'base64url')
  const key = await subtle.importKey('raw', KEY.key, 'AES-GCM', false, ['decrypt'])
  const additionalData = Buffer.from(
    JSON.stringify([PLACE.accountId, PLACE.table, PLACE.column, PLACE.rowId, keyIdOf(VECTOR)]),
  )
  const algorithm = { name: 'AES-GCM', iv: sealed.subarray(0, 12), additionalData, tagLength: 128 }
  assert.equal(Buffer.from(await subtle.decrypt(algorithm, key, sealed.subarray(12))).toString(), 'Grüße, 世界')
})

test('any text comes back as it was, and never looks the same twice', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const sealed = seal(KEY, PLACE, text)
      assert.equal(open(KEY, PLACE, sealed), text)
      assert.notEqual(seal(KEY, PLACE, text), sealed)
    }),
  )
})

test('a value that was changed anywhere does not open', () => {
  for (let at = 0; at < VECTOR.length; at += 1) {
    const changed = `${VECTOR.slice(0, at)}${VECTOR[at] === 'A' ? 'B' : 'A'}${VECTOR.slice(at + 1)}`
    // The spare bits at the end of base64 carry nothing.
    const bytes = (text: string) => Buffer.from(text.slice(text.indexOf('.') + 1), 'base64url')
    if (keyIdOf(changed) === KEY.id && bytes(changed).equals(bytes(VECTOR))) continue
    assert.equal(open(KEY, PLACE, changed), null, `changed at ${at}`)
  }
  for (let length = 0; length < VECTOR.length - 1; length += 1)
    assert.equal(open(KEY, PLACE, VECTOR.slice(0, length)), null, `cut at ${length}`)
})

test('a value that was moved to another place does not open', () => {
  for (const field of ['accountId', 'table', 'column', 'rowId'] as const)
    assert.equal(open(KEY, { ...PLACE, [field]: 'elsewhere' }, VECTOR), null, field)
  const shifted = { ...PLACE, table: 'variables"', column: '"sealed_value' }
  assert.equal(open(KEY, shifted, VECTOR), null)
})

test('another key does not open it, not even under the name of this one', () => {
  assert.equal(open(OTHER, PLACE, VECTOR), null)
  assert.equal(open({ ...OTHER, id: KEY.id }, PLACE, VECTOR), null)
})

test('the id of a key tells nothing that helps to find it', () => {
  assert.equal(KEY.id.length, 16)
  assert.notEqual(KEY.id, createHash('sha256').update(KEY.key).digest('hex').slice(0, 16))
})

test('while keys are changed both open, and the new one seals', () => {
  const secrets = secretsWith(OTHER, KEY)
  assert.equal(secrets.open(PLACE, VECTOR), 'Grüße, 世界')
  const sealed = secrets.seal(PLACE, 'new')
  assert.equal(keyIdOf(sealed), OTHER.id)
  assert.equal(secrets.open(PLACE, sealed), 'new')
  assert.throws(() => secretsWith(OTHER).open(PLACE, VECTOR), /variables\.sealed_value cannot be decrypted/)
})
