import { test as base, expect } from '@playwright/test'

const test = base.extend<{ evidence: void }>({
  evidence: [
    async ({ page }, use, testInfo) => {
      const asked: string[] = []
      page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
      await use()
      if (testInfo.status === testInfo.expectedStatus) return
      await testInfo.attach('asked.txt', { body: asked.join('\n'), contentType: 'text/plain' })
      await testInfo.attach('page', { body: await page.screenshot(), contentType: 'image/png' })
    },
    { auto: true },
  ],
})

test('what failed leaves its own evidence', { tag: '@shop', annotation: { type: 'issue', description: 'no. 7' } }, async ({ page }) => {
  await page.goto(`${process.env.SITE}/shop/login`)
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible({ timeout: 300 })
})
