import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PlaywrightJob } from './job.ts'
import { Translations, translationKey } from './translations.ts'

const job = (content: string, variables = {}): PlaywrightJob => ({
  ...{ is: 'program', entry: 'a.ts', variables, limitMs: 1000 },
  files: [{ path: 'a.ts', content, encoding: 'utf8' }],
})
const made = (length: number) => new Map([['.cache/playwright/a.js', Buffer.alloc(length)]])

test('a translation is of one text, of one check, with one runtime', () => {
  const key = translationKey('check', '2025.04', job('a'))
  assert.ok(key !== null)
  assert.equal(translationKey('check', '2025.04', job('a', { SECRET: 'changed' })), key)
  const others = [
    translationKey('other', '2025.04', job('a')),
    translationKey('check', '2024.09', job('a')),
    translationKey('check', '2025.04', job('b')),
    translationKey('check', '2025.04', { ...job('a'), limitMs: 1, files: [] }),
  ]
  assert.equal(new Set([key, ...others]).size, 5)
  assert.equal(translationKey(undefined, '2025.04', job('a')), null)
})

test('the first translation stays, and comes back as the files of a job', () => {
  const translations = new Translations()
  assert.equal(translations.find('a'), null)
  translations.keep('a', new Map([['.cache/playwright/a.js', Buffer.from('first')]]))
  translations.keep('a', new Map([['.cache/playwright/a.js', Buffer.from('second')]]))
  const content = Buffer.from('first').toString('base64')
  assert.deepEqual(translations.find('a'), [{ path: '.cache/playwright/a.js', content, encoding: 'base64' }])
  assert.equal(translations.find('b'), null)
})

test('what was not used for longest goes first, and what is too large is not kept', () => {
  const translations = new Translations({ all: 500, one: 250 })
  for (const key of ['a', 'b', 'c']) translations.keep(key, made(90))
  assert.ok(translations.find('a') !== null)
  translations.keep('d', made(90))
  translations.keep('large', made(200))
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'large'].map((key) => translations.find(key) !== null),
    [true, false, true, true, false],
  )
})
