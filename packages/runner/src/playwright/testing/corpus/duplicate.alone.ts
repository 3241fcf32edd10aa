import { test } from '@playwright/test'

test('the same title', async () => {})
test('the same title', async () => {})
