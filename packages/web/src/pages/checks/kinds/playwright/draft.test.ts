import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BLANK_SUITE, nameOfSuite, writeSuite } from './draft.ts'

test('a suite is called as its archive is, when nobody says so', () => {
  const cases = [
    ['shop.tar.gz', 'shop'],
    ['Shop 2.TGZ', 'Shop 2'],
    ['.tgz', 'Playwright suite'],
    ['', 'Playwright suite'],
  ] as const
  for (const [fileName, name] of cases) assert.equal(nameOfSuite({ fileName }), name)
})

test('fields left empty are not meant, and a suite without pages asks for no browser', () => {
  const codeBundlePath = ` bundles/${'ab'.repeat(32)}.tar.gz `
  assert.deepEqual(writeSuite({ ...BLANK_SUITE, codeBundlePath, testCommand: ' ', hasPages: false }), {
    codeBundlePath: codeBundlePath.trim(),
    ...{ testCommand: null, workingDir: null, playwrightVersion: null, browsers: [], environmentVariables: [] },
    timeout: 1800,
  })
})
