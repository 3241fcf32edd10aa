import { expect, test } from '@playwright/test'

test.skip('skipped', async () => {})
test.fixme('to be fixed', async () => {})
test('skips itself', async ({}, testInfo) => {
  test.skip(testInfo.title !== '', 'for a reason')
})
test('is expected to fail', async () => {
  test.fail()
  expect(1).toBe(2)
})
test.describe('of a group', () => {
  test.skip(({ browserName }) => browserName === 'chromium', 'not in this browser')
  test('skipped by its group', async () => {})
})
test('slow', async () => {
  test.slow()
  expect(test.info().timeout).toBe(90_000)
})
