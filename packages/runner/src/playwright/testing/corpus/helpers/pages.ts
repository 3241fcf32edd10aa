import { expect, type Locator, type Page } from '@playwright/test'

export class FormPage {
  readonly heading: Locator
  constructor(readonly page: Page) {
    this.heading = page.getByRole('heading')
  }
  async open() {
    await this.page.goto('/form')
    await expect(this.heading).toHaveText('Form')
  }
  async fill(name: string) {
    await this.page.getByLabel('Name').fill(name)
    await this.page.getByRole('button', { name: 'Send' }).click()
  }
}
