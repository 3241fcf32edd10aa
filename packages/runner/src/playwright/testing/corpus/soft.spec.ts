import { expect, test } from '@playwright/test'

test('goes on after soft failures', async () => {
  expect.soft(1, 'one is two').toBe(2)
  await test.step('in a step', async () => {
    expect.soft([1, 2]).toEqual([1, 3])
  })
  expect.soft({ a: { b: 1 } }).toMatchObject({ a: { b: 2 } })
  console.log('still here')
})
