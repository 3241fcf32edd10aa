import { expect as base, test } from '@playwright/test'

const expect = base.extend({
  toBeEven(received: number) {
    const pass = received % 2 === 0
    return { pass, message: () => `${received} is ${pass ? '' : 'not '}even`, name: 'toBeEven' }
  },
})

test('a matcher of one’s own', async ({ request }) => {
  const items = await (await request.get(`${process.env.SITE}/shop/items`)).json()
  expect(items[0].price).toBeEven()
  expect(items).toContainEqual(expect.objectContaining({ name: 'Rope' }))
})
test('says what is wrong', async () => {
  expect(25).toBeEven()
})
