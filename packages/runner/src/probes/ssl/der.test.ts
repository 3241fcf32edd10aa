import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { makeAuthority } from '../../testing/certificates.ts'
import { demandsStaple, holdsReceipt, isOcspAnswer } from './der.ts'

const authority = makeAuthority()
const made = (...extensions: string[]) => new X509Certificate(authority.issue('DNS:shop.test', { extensions }).cert).raw
const SCT = '1.3.6.1.4.1.11129.2.4.2'
const hex = (text: string) => Buffer.from(text, 'hex')

test('whether a certificate demands an OCSP answer is read from its extension', () => {
  assert.equal(demandsStaple(made()), false)
  assert.equal(demandsStaple(made('tlsfeature=status_request')), true)
  assert.equal(demandsStaple(made('tlsfeature=critical,status_request')), true)
  assert.equal(demandsStaple(made('tlsfeature=status_request_v2,status_request')), true)
  // 17, of RFC 6961, which nobody speaks.
  assert.equal(demandsStaple(made('tlsfeature=status_request_v2')), false)
})

test('whether a certificate holds a receipt is read from its extension', () => {
  assert.equal(holdsReceipt(made()), false)
  assert.equal(holdsReceipt(made(`${SCT}=DER:04050003000100`)), true)
  assert.equal(holdsReceipt(made(`${SCT}=DER:04020000`)), false)
  // A length that does not fit.
  assert.equal(holdsReceipt(made(`${SCT}=DER:04050009000100`)), false)
  assert.equal(holdsReceipt(made(`${SCT}=DER:0500`)), false)
})

test('an OCSP response is an answer only when it says so', () => {
  assert.equal(isOcspAnswer(hex('30050a0100a000')), true)
  assert.equal(isOcspAnswer(hex('30030a0103')), false)
  assert.equal(isOcspAnswer(hex('30030a0100')), false)
  assert.equal(isOcspAnswer(Buffer.alloc(0)), false)
})

test('what is cut, turned or made up is never an answer, and never an exception', () => {
  const whole = made('tlsfeature=status_request', `${SCT}=DER:04050003000100`)
  fc.assert(
    fc.property(fc.nat(whole.length - 1), (length) => {
      const cut = whole.subarray(0, length)
      assert.deepEqual([demandsStaple(cut), holdsReceipt(cut)], [false, false])
    }),
  )
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
      const turned = Buffer.from(whole)
      turned[at] = byte
      assert.doesNotThrow(() => [demandsStaple(turned), holdsReceipt(turned)])
    }),
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      assert.doesNotThrow(() => isOcspAnswer(Buffer.from(bytes)))
    }),
  )
})
