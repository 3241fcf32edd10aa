import { expect, test } from '@playwright/test'

const seen: string[] = []
test.beforeAll('set up once', async () => void seen.push('all'))
test.beforeEach(async ({}, testInfo) => {
  seen.push(`each ${testInfo.title}`)
})
test.afterEach(async ({}, testInfo) => console.log('after', testInfo.title, testInfo.status))
test.afterAll(async () => console.error('over', seen.join()))

test.describe('a group', { tag: '@smoke' }, () => {
  test.beforeEach('inner', () => void seen.push('inner'))
  test('first', async () => expect(seen).toEqual(['all', 'each first', 'inner']))
  test('second', async ({}, testInfo) => {
    expect(testInfo.tags).toEqual(['@smoke'])
    testInfo.annotations.push({ type: 'issue', description: 'https://example.com/1' })
  })
})
test('steps in steps', async () => {
  const value = await test.step('outer', async () => {
    const inner = await test.step('inner', async () => 20)
    return await test.step('more', async (step) => {
      await step.attach('of a step', { body: 'text' })
      return inner + 22
    })
  })
  expect(value).toBe(42)
})
test('polls and waits', async () => {
  let count = 0
  await expect.poll(() => ++count).toBeGreaterThan(2)
  await expect(async () => expect(++count).toBeGreaterThan(5)).toPass({ intervals: [1] })
})
test('attaches', async ({}, testInfo) => {
  await testInfo.attach('words', { body: 'some words', contentType: 'text/plain' })
  await testInfo.attach('data', { body: JSON.stringify({ a: 1 }), contentType: 'application/json' })
})
test('asks to be degraded', async ({}, testInfo) => {
  testInfo.annotations.push({ type: 'degraded', description: 'slower than it was' })
})
