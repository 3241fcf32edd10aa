import { test } from '@playwright/test'

// Without a proxy: with one it is the proxy that answers.
test.fail('nobody listens there', async ({ request }) => {
  await request.get('http://127.0.0.1:1/')
})
