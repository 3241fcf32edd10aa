import { test } from '@playwright/test'
import nothing from 'no-such-package'

test('never read', async () => nothing())
