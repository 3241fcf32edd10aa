import { expect, test } from '@playwright/test'

test.use({ baseURL: process.env.SITE, extraHTTPHeaders: { Authorization: 'Bearer orders' } })
test.describe.configure({ mode: 'serial' })

let id = 0
test('an order is made', async ({ request }) => {
  const response = await request.post('/shop/orders', { data: { item: 'Lantern', quantity: 2 } })
  expect(response.status()).toBe(201)
  ;({ id } = await response.json())
})
test('it is found again', async ({ request }) => {
  expect(await (await request.get(`/shop/orders/${id}`)).json()).toEqual({ id, item: 'Lantern', quantity: 2 })
  expect(await (await request.get('/shop/orders')).json()).toHaveLength(1)
})
test('it is changed', async ({ request }) => {
  const response = await request.patch(`/shop/orders/${id}`, { data: { quantity: 3 } })
  expect(await response.json()).toMatchObject({ quantity: 3 })
})
test('it is gone when it is deleted', async ({ request }) => {
  await expect(await request.delete(`/shop/orders/${id}`)).toBeOK()
  await expect(await request.get(`/shop/orders/${id}`)).not.toBeOK()
})
