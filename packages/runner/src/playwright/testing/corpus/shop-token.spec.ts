import { test as base, expect, type APIRequestContext } from '@playwright/test'

const test = base.extend<{}, { api: APIRequestContext }>({
  api: [
    async ({ playwright }, use) => {
      const anybody = await playwright.request.newContext({ baseURL: process.env.SITE })
      const { token } = await (await anybody.post('/shop/token', { data: { user: 'linus' } })).json()
      const api = await playwright.request.newContext({
        baseURL: process.env.SITE,
        extraHTTPHeaders: { Authorization: `Bearer ${token}` },
      })
      await use(api)
      await api.dispose()
      await anybody.dispose()
    },
    { scope: 'worker' },
  ],
})

test('who brings a token is known', async ({ api }) => {
  await expect(await api.get('/shop/orders')).toBeOK()
})
test('who brings none is not', async ({ request }) => {
  const response = await request.get(`${process.env.SITE}/shop/orders`)
  expect(response.status()).toBe(401)
  expect(await response.json()).toEqual({ error: 'who are you?' })
})
