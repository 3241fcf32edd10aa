import { test as base } from '@playwright/test'

const test = base.extend<{ thing: string }>({
  thing: async ({}, use) => {
    await use('thing')
    throw new Error('it does not go away')
  },
})
test('uses it', async ({ thing }) => console.log(thing))
