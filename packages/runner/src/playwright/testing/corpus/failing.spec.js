const { expect, test } = require('@playwright/test')

// Failures that are expected need no new worker.
test.fail('throws what is no error', async () => {
  throw { code: 42, toString: () => 'a thing' }
})
test.fail('throws nothing at all', async () => {
  throw undefined
})
test.fail('an error with a cause', async () => {
  throw new Error('outer', { cause: new TypeError('inner') })
})
test.fail('goes on after soft failures', async () => {
  expect.soft(1, 'one is two').toBe(2)
  await test.step('in a step', async () => {
    expect.soft([1, 2]).toEqual([1, 3])
  })
  expect.soft({ a: { b: 1 } }).toMatchObject({ a: { b: 2 } })
  console.log('still here')
})
test.fail('a poll that gives up', async () => {
  await expect.poll(() => 1, { timeout: 100, message: 'never two' }).toBe(2)
})
test('fails though it should not', async () => {
  expect('left').toBe('right')
})
