import { test } from '@playwright/test'

test('nobody listens there', async ({ request }) => {
  await request.get('http://127.0.0.1:1/')
})
