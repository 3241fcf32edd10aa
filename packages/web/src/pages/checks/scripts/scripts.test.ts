import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftScripts, NO_SCRIPTS, placesOf, scriptWords, writeScripts } from './scripts.ts'

const none = writeScripts(NO_SCRIPTS)
const some = { setupSnippetId: 7, localSetupScript: 'a()', tearDownSnippetId: null, localTearDownScript: 'b()' }

test('what is written is what was drafted, and blank scripts are none', () => {
  assert.deepEqual(writeScripts(draftScripts(some)), some)
  assert.deepEqual(writeScripts({ ...NO_SCRIPTS, setUpScript: ' \n', tearDownSnippetId: 3 }), {
    ...none,
    tearDownSnippetId: 3,
  })
})

test('words say what runs where', () => {
  assert.deepEqual(placesOf(none), { before: null, after: null })
  assert.deepEqual(placesOf(some), { before: 'a snippet and a script', after: 'a script' })
  assert.equal(scriptWords([none]), 'none')
  assert.equal(scriptWords([some]), '2 scripts before the request, 1 after it')
  assert.equal(scriptWords([some, some]), '4 scripts before the request, 2 after it')
  assert.equal(scriptWords([{ ...none, localTearDownScript: 'b()' }]), '1 script after the request')
})
