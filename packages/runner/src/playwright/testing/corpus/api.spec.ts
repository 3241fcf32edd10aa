import { expect, request as requests, test } from '@playwright/test'

const site = process.env.SITE ?? ''
test.use({ baseURL: site, extraHTTPHeaders: { 'x-from': 'corpus' } })

test('a chain of requests', async ({ request }) => {
  const made = await test.step('make', async () => {
    const response = await request.post('/echo', { data: { name: 'jo' } })
    expect(response.status()).toBe(200)
    return response.json()
  })
  await test.step('read', async () => {
    expect(made).toEqual({ method: 'POST', from: 'corpus', body: '{"name":"jo"}' })
    const response = await request.get('/json')
    await expect(response).toBeOK()
  })
})
test('a context by hand', async () => {
  const context = await requests.newContext({ baseURL: site })
  expect((await context.get('/json')).ok()).toBe(true)
  await context.dispose()
})
test('an answer that is not well', async ({ request }) => {
  await expect(await request.get('/missing')).toBeOK()
})
