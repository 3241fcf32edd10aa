import { test } from '@playwright/test'

test('never read', async () => {
  const = 1
})
