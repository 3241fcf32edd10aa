import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'

const rows = readFileSync(path.join(__dirname, 'helpers', 'prices.csv'), 'utf8').trim().split('\n').slice(1)

for (const row of rows) {
  const [name, price] = row.split(',')
  test(`${name} costs ${price}`, async ({ request }) => {
    const items: { name: string; price: number }[] = await (await request.get(`${process.env.SITE}/shop/items`)).json()
    expect(items.find((item) => item.name === name)?.price).toBe(Number(price))
  })
}
