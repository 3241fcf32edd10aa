import { test } from '@playwright/test'

test('takes too long', async () => {
  test.setTimeout(300)
  await test.step('a wait', () => new Promise(() => {}))
})
