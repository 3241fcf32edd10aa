import { expect, test as base } from '@playwright/test'

const order: string[] = []
const test = base.extend<{ user: { name: string }; greeting: string }, { counter: { next(): number } }>({
  counter: [
    async ({}, use) => {
      let count = 0
      await use({ next: () => ++count })
    },
    { scope: 'worker' },
  ],
  user: async ({ counter }, use) => {
    order.push('user up')
    await use({ name: `user ${counter.next()}` })
    console.log('user down')
  },
  greeting: async ({ user }, use) => use(`hello ${user.name}`),
})
test.use({ locale: 'de-DE' })

test('a fixture builds on others', async ({ greeting, locale }) => {
  expect(greeting).toBe('hello user 1')
  expect(locale).toBe('de-DE')
})
test('a worker has one of its kind', async ({ user }) => {
  expect(user.name).toBe('user 2')
  expect(order).toEqual(['user up', 'user up'])
})
for (const [left, right] of [
  [1, 2],
  [3, 4],
]) test(`parametrised: ${left} is less than ${right}`, async () => expect(left).toBeLessThan(right))
