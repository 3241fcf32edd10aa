import { test } from '@playwright/test'

test('throws later', async () => {
  setTimeout(() => {
    throw new TypeError('from a timer')
  })
  await new Promise((resolve) => setTimeout(resolve, 1000))
})
