import { expect, test } from '@playwright/test'

test.describe.configure({ retries: 1 })
test('passes the second time', async ({}, testInfo) => {
  console.log('try', testInfo.retry)
  expect(testInfo.retry).toBe(1)
})
