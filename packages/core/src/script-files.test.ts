import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTest } from './script-files.ts'

const TESTS = {
  'imports it': `import { test, expect } from '@playwright/test'\ntest('a', async () => {})`,
  'requires it': `const { test } = require("@playwright/test"); test.describe('a', () => {})`,
  'names the other package': `import { test } from 'playwright/test'\ntest.only('a', () => {})`,
  'takes it from a file of fixtures': `import { test, expect } from './fixtures'\ntest.describe.serial('a', () => {})`,
  'gives it another name': `import { test as base } from '@playwright/test'\nconst it = base.extend({})\nit('a', () => {})`,
  'takes the default': `import test from '@playwright/test'\ntest ('a', () => {})`,
  'takes all': `import * as pw from '@playwright/test'\npw.test('a', () => {})`,
  'takes it from what it requires': `const it = require('@playwright/test').test\nit('a', () => {})`,
  'uses it where it requires it': `require('@playwright/test').test('a', () => {})`,
  'uses it where it imports it': `;(await import('@playwright/test')).test.only('a', () => {})`,
  'takes the default by another name': `import it, { expect } from '@playwright/test'\nit('a', () => {})`,
  'names addresses with stars': `const all = '**/shop/**'\nimport { test } from './fixtures'\ntest('a', ({ page }) => page.route('**/x/**', all))`,
  'uses hooks first': `const { test } = require('@playwright/test')\ntest.beforeEach(() => {})`,
}
for (const [how, script] of Object.entries(TESTS))
  test(`a script that ${how} is run by the test runner`, () => assert.equal(isTest(script), true))

const PROGRAMS = {
  'launches a browser by hand': `const { chromium } = require('playwright')\n;(async () => { await chromium.launch() })()`,
  'takes only expect from the package': `const { expect } = require('@playwright/test')\nconst { chromium } = require('playwright')`,
  'asks expressions': `const { expect } = require('@playwright/test')\nif (/^a$/i.test(text)) console.log(1)`,
  'speaks of tests': `// We test (and test again) '@playwright/test'\n/* test('a') */\nconsole.log('fine')`,
  'has a function of that name': `const { chromium } = require('playwright')\nasync function test() {}\ntest()`,
  'opens an address of that name': `const { expect } = require('@playwright/test')\npage.goto('https://shop.test/test')`,
  'has names like it': `const { expect } = require('@playwright/test')\nlatest(1)\ncontest(2)`,
  'has an address with two slashes': `require('playwright').chromium.launch().then((b) => b.open('https://shop.test/'))`,
}
for (const [how, script] of Object.entries(PROGRAMS))
  test(`a script that ${how} is a program`, () => assert.equal(isTest(script), false))

test('what stands behind an address on its line counts', () => {
  const script = `import { test } from './base'\nconst url = 'https://shop.test'; test('a', () => {})`
  assert.equal(isTest(script), true)
})
