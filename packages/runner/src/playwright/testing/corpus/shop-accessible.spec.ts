import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '@playwright/test'

test('nothing serious is wrong for anybody', async ({ page }, testInfo) => {
  await page.goto(`${process.env.SITE}/shop/catalogue`)
  const { violations } = await new AxeBuilder({ page }).disableRules(['html-has-lang', 'document-title', 'region']).analyze()
  await testInfo.attach('axe.json', { body: JSON.stringify(violations.map(({ id }) => id)), contentType: 'application/json' })
  expect(violations.filter(({ impact }) => impact === 'critical')).toEqual([])
})
