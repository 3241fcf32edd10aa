import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isMailAddress } from './mail-settings.ts'
import { maskAddresses } from './mask-address.ts'

test('an address keeps its first letter and its domain', () => {
  assert.equal(maskAddresses('ann@example.org'), 'a…@example.org')
  assert.equal(
    maskAddresses('550 5.1.1 <Ann.B+news@example.org>: no such user; ask bob@example.org.'),
    '550 5.1.1 <A…@example.org>: no such user; ask b…@example.org.',
  )
})

test('whatever we send mail to, a text about it does not tell what stands before the @', () => {
  const local = fc.string({ unit: 'grapheme', minLength: 2, maxLength: 20 }).map((text) => `${text}zz`)
  fc.assert(
    fc.property(local, fc.constantFrom('<', '', 'to: '), (name, before) => {
      const address = `${name}@example.org`
      fc.pre(isMailAddress(address))
      assert.ok(!maskAddresses(`550 ${before}${address}> refused`).includes(`${name}@`))
    }),
  )
})
