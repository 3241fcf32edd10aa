const { chromium, expect, test } = require('@playwright/test')

let browser
let page
test.beforeAll(async () => {
  browser = await chromium.launch({ headless: true, args: ['--disable-gpu'] })
  const context = await browser.newContext({ viewport: { width: 800, height: 600 } })
  page = await context.newPage()
})
test.afterAll(async () => {
  await browser.close()
})
test('one page for all tests', async () => {
  await page.goto(`${process.env.SITE}/shop/catalogue`)
  await page.waitForSelector('tbody tr')
  expect(await page.$$eval('tbody tr', (rows) => rows.length)).toBe(3)
})
test('is still where it was', async () => {
  expect(page.url()).toContain('/shop/catalogue')
  await page.click('text=Add >> nth=0')
  expect(await page.textContent('output')).toBe('1')
})
