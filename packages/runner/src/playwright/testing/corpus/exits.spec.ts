import { test } from '@playwright/test'

test.afterEach(() => console.log('not to be seen'))
test('ends the process', async () => {
  await test.step('exit', async () => process.exit(3))
})
test('comes after it', async () => {})
