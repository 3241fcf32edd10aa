const { test } = require('@playwright/test')

test('throws what is no error', async () => {
  throw { code: 42, toString: () => 'a thing' }
})
