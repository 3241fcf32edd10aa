import { test } from '@playwright/test'

test('leaves a promise behind', async () => {
  void Promise.reject(new Error('nobody listens'))
  await new Promise((resolve) => setTimeout(resolve, 50))
})
