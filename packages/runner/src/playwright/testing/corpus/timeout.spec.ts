import { test } from '@playwright/test'

let began = 0
test.beforeEach(() => {
  began = Date.now()
})
test('takes too long', async () => {
  test.setTimeout(Date.now() - began + 500)
  await test.step('a wait', () => new Promise(() => {}))
})
