import { expect, test } from '@playwright/test'

test('a socket that is answered by the test', async ({ page }) => {
  await page.routeWebSocket('**/shop/socket', (socket) => {
    socket.onMessage((message) => socket.send(`you said ${message}`))
  })
  await page.goto(`${process.env.SITE}/shop/chat`)
  await expect(page.getByRole('listitem')).toHaveText('you said hello')
})
