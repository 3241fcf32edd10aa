import { test } from '@playwright/test'

test.beforeAll(async () => {
  throw new Error('nothing is set up')
})
test('never starts', async () => {})
test('nor does this', async () => {})
