import { expect, test } from '@playwright/test'
import { z } from 'zod'

const Answer = z.object({ data: z.object({ item: z.object({ name: z.string(), price: z.number().positive() }) }) })
const query = 'query Item($name: String!) { item(name: $name) { name price } }'

test('an item is found', async ({ request }) => {
  const response = await request.post(`${process.env.SITE}/shop/graphql`, { data: { query, variables: { name: 'Rope' } } })
  expect(Answer.parse(await response.json()).data.item.price).toBe(12)
})
test('a schema says what it misses', async ({ request }) => {
  const response = await request.post(`${process.env.SITE}/shop/graphql`, { data: { query, variables: { name: 'Boat' } } })
  Answer.parse(await response.json())
})
