import { expect, test, type Locator, type Page } from '@playwright/test'

class LoginPage {
  readonly user: Locator
  readonly password: Locator
  constructor(private readonly page: Page) {
    this.user = page.getByLabel('User')
    this.password = page.getByLabel('Password')
  }
  async signIn(user: string, password: string) {
    await this.page.goto(`${process.env.SITE}/shop/login`)
    await this.user.fill(user)
    await this.password.fill(password)
    await this.page.getByRole('button', { name: 'Sign in' }).click()
  }
}

test('a customer signs in', async ({ page }) => {
  await new LoginPage(page).signIn('ada', 'open sesame')
  await expect(page.getByRole('heading')).toHaveText('Welcome, ada')
  await expect(page).toHaveURL(/user=ada/)
})
test('a wrong password is refused', async ({ page }) => {
  await new LoginPage(page).signIn('ada', 'guess')
  await expect(page.getByRole('alert')).toHaveText('Wrong password')
})
