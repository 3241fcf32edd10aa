import { expect, test } from '@playwright/test'

test.describe.serial('one after the other', () => {
  test('passes', async () => {})
  test('fails', async () => expect('left').toBe('right'))
  test('is not run', async () => {})
})
