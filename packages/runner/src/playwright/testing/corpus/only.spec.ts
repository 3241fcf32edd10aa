import { test } from '@playwright/test'

test('does not run', async () => {})
