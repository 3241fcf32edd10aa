import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { blankScript, nameOfScript, writeMultiStep } from './draft.ts'
import { browserTemplate, multiStepTemplate, quoted } from './templates.ts'

test('whatever was typed becomes a string of JavaScript that is the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.equal(new Function(`return ${quoted(text)}`)(), text)
    }),
  )
})

test('a template opens what was typed, or an example', () => {
  assert.match(browserTemplate('shop.test'), /page\.goto\('https:\/\/shop\.test'\)/)
  assert.match(browserTemplate(' '), /page\.goto\('https:\/\/example\.org\/'\)/)
  assert.match(multiStepTemplate('http://127.0.0.1:8080/'), /const start = 'http:\/\/127\.0\.0\.1:8080\/'/)
})

test('a check is called by the title of its first test, when nobody says so', () => {
  const cases = [
    ["test('a lantern can be bought', async () => {})", 'a lantern can be bought'],
    ['test.describe("shop", () => {})', 'shop'],
    ['test(`with ticks`, () => {})', 'with ticks'],
    ["test('', () => {})", 'Browser check'],
    ['await page.goto()', 'Browser check'],
  ] as const
  for (const [script, name] of cases) assert.equal(nameOfScript(script, 'Browser check'), name)
})

test('rows left empty are not meant', () => {
  const draft = {
    ...blankScript(''),
    scriptPath: ' ',
    dependencies: [
      { path: '', content: '' },
      { path: ' a.ts ', content: '' },
    ],
  }
  const { scriptPath, dependencies, timeout } = writeMultiStep({ ...draft, timeout: ' ' })
  assert.equal(scriptPath, null)
  assert.equal(timeout, 240)
  assert.deepEqual(dependencies, [{ path: 'a.ts', content: '' }])
})
