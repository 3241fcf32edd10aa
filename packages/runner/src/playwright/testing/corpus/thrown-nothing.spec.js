const { test } = require('@playwright/test')

test('throws nothing at all', async () => {
  throw undefined
})
