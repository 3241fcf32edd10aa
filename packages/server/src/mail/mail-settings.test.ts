import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isMailAddress, readSender, readSmtpUrl } from './mail-settings.ts'

test('a URL says where the mail server is, how it is spoken to and who signs in', () => {
  assert.deepEqual(readSmtpUrl('smtp://mail.example.org'), {
    host: 'mail.example.org',
    port: 587,
    secure: false,
    requireTls: false,
    auth: null,
  })
  assert.deepEqual(readSmtpUrl('smtps://ops%40example.org:a%2Fb@[2001:db8::1]:2465/?requireTLS=true'), {
    host: '2001:db8::1',
    port: 2465,
    secure: true,
    requireTls: true,
    auth: { user: 'ops@example.org', pass: 'a/b' },
  })
})

test('any user and password can be written', () => {
  const text = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((s) => s.isWellFormed() && !/\p{Cc}/u.test(s))
  fc.assert(
    fc.property(text, text, (user, pass) => {
      const read = readSmtpUrl(`smtp://${encodeURIComponent(user)}:${encodeURIComponent(pass)}@mail.test:25`)
      assert.deepEqual(typeof read === 'string' ? read : read.auth, { user, pass })
    }),
  )
})

test('what is no such URL is refused without a word of it', () => {
  const wrong = [
    'mail.example.org',
    'http://u:canary@mail.test',
    'smtp://',
    'smtp:mail.test',
    'smtp://u:canary/x@mail.test',
    'smtp://u:canary#x@mail.test',
    'smtp://u:canary?x@mail.test',
    'smtp://u:canary%zz@mail.test',
    'smtp://u:canary%0d%0a@mail.test',
    'smtp://canary@mail.test',
    'smtp://:canary@mail.test',
    'smtp://u:canary@mail.test:99999',
    'smtp://u:canary@mail.test/canary',
    'smtp://u:canary@mail.test?pool=canary',
    'smtp://u:canary@mail.test?requireTLS=canary',
  ]
  for (const text of wrong) {
    const read = readSmtpUrl(text)
    assert.ok(typeof read === 'string', text)
    assert.ok(!read.includes('canary'), read)
  }
})

test('a sender is an address, with a name or without', () => {
  assert.deepEqual(readSender('vedette@example.org'), { name: '', address: 'vedette@example.org' })
  assert.deepEqual(readSender('Vedette <vedette@example.org>'), { name: 'Vedette', address: 'vedette@example.org' })
  assert.deepEqual(readSender('"Wächter, Nord" <v@example.org>'), { name: 'Wächter, Nord', address: 'v@example.org' })
  for (const text of [
    'vedette',
    'a@b.test, c@d.test',
    'x <a@b.test> y',
    '<a@b.test',
    'a\r\nBcc: x <a@b.test>',
    'a@b\r\n.test',
  ])
    assert.equal(typeof readSender(text), 'string', text)
})

test('nothing that passes for an address holds what could end it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 30 }), fc.string({ unit: 'binary', maxLength: 30 }), (a, b) => {
      const text = `${a}@${b}`
      if (isMailAddress(text)) assert.doesNotMatch(text, /[\s<>,;:\p{Cc}]/u)
    }),
    { numRuns: 300 },
  )
})
