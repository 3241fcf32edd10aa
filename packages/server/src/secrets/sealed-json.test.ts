import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { withoutSecrets } from '../checks/settings-secrets.ts'
import { dataKey } from './seal.ts'
import { openJson, putBack, sealJson, takeOut } from './sealed-json.ts'
import { secretsWith } from './secrets.ts'

const PLACE = { accountId: 'a', table: 'checks', column: 'sealed', rowId: 'b' }
const secrets = secretsWith(dataKey(randomBytes(32)))

/** JSON in which items that are locked or secret, and passwords, come up often. */
const json = fc.letrec((tie) => ({
  item: fc.record(
    { key: fc.string(), value: fc.oneof(fc.string(), fc.constant(null)), locked: fc.boolean(), secret: fc.boolean() },
    { requiredKeys: ['key', 'value'] },
  ),
  login: fc.record({ username: fc.string(), password: fc.string() }),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.jsonValue(),
    tie('item'),
    tie('login'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
  ),
})).value

test('what is taken out of a value can be put back', () => {
  fc.assert(
    fc.property(json, (whole) => {
      // As it arrives from the database.
      const value: unknown = JSON.parse(JSON.stringify(whole))
      const { open, sealed } = sealJson(secrets, PLACE, value, withoutSecrets(value))
      assert.deepEqual(openJson(secrets, PLACE, JSON.parse(open), sealed), value)
    }),
  )
})

test('any two values of JSON differ where takeOut says', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (whole) => {
      const value: unknown = JSON.parse(JSON.stringify(whole))
      assert.deepEqual(putBack<unknown>({}, takeOut(value, {})), value)
      assert.deepEqual(takeOut(value, value), [])
    }),
  )
})

test('items that are locked or secret lose their values, and logins their passwords', () => {
  const item = { key: 'a', value: 'x', locked: false }
  const settings = {
    request: { headers: [item, { ...item, locked: true }], basicAuth: { username: 'ops', password: 'x' } },
    environmentVariables: [
      { ...item, secret: true },
      { ...item, value: null, secret: true },
    ],
    script: 'password',
  }
  const open = {
    request: { headers: [item, { ...item, locked: true, value: '' }], basicAuth: { username: 'ops', password: '' } },
    environmentVariables: [
      { ...item, secret: true, value: '' },
      { ...item, value: null, secret: true },
    ],
    script: 'password',
  }
  assert.deepEqual(withoutSecrets(settings), open)
  assert.deepEqual(takeOut(settings, open), [
    [['request', 'headers', '1', 'value'], 'x'],
    [['request', 'basicAuth', 'password'], 'x'],
    [['environmentVariables', '0', 'value'], 'x'],
  ])
})

test('a value without secrets has nothing sealed beside it', () => {
  const value = { headers: [{ key: 'a', value: 'x', locked: false }], basicAuth: null }
  assert.deepEqual(sealJson(secrets, PLACE, value, withoutSecrets(value)), {
    open: JSON.stringify(value),
    sealed: null,
  })
})

test('secrets do not open beside another value, or in another place', () => {
  const whole = { headers: [{ value: 'x', locked: true }] }
  const { sealed } = sealJson(secrets, PLACE, whole, withoutSecrets(whole))
  assert.throws(() => openJson(secrets, PLACE, {}, sealed), /do not belong/)
  assert.throws(() => openJson(secrets, { ...PLACE, rowId: 'c' }, whole, sealed), /cannot be decrypted/)
})
