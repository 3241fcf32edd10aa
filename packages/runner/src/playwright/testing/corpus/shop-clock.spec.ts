import { expect, test } from '@playwright/test'

test('an offer ends at midnight', async ({ page }) => {
  await page.clock.install({ time: new Date('2030-06-01T23:59:58') })
  await page.setContent(`<p></p><script>setInterval(() => {
    document.querySelector('p').textContent = new Date().getDate() === 1 ? 'Only today' : 'Too late' }, 1000)</script>`)
  await page.clock.runFor(1000)
  await expect(page.locator('p')).toHaveText('Only today')
  await page.clock.fastForward(2000)
  await expect(page.locator('p')).toHaveText('Too late')
})
