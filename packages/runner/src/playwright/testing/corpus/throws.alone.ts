import { test } from '@playwright/test'

console.log('before it throws')
test('never run', async () => {})
throw new RangeError('at the top')
