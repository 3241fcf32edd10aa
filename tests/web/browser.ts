/** A real browser on a page, for the tests of the web application. */
import type { TestContext } from 'node:test'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type StartOptions, startVedette, type Vedette } from '../start-vedette.ts'

export const PASSWORD = 'lanterns at the ford'

const FLAGS = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Its own one, to be closed by whoever asked. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.TEST_BROWSER ?? process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
  return chromium.launch({ executablePath, args: FLAGS })
}

/** What the page must never do, such as break the content security policy, fails the test that opened it. */
const EXPECTED = /Failed to load resource/

export async function openPage(t: TestContext, url: string): Promise<Page> {
  const browser = await launchBrowser()
  const complaints: string[] = []
  t.after(async () => {
    await browser.close()
    if (complaints.length > 0) throw new Error(`The page complained:\n${complaints.join('\n')}`)
  })
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  page.setDefaultTimeout(15_000)
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) complaints.push(message.text())
  })
  await page.goto(url)
  return page
}

/** A fresh installation whose checks may reach this machine, with its first person signed in on a page. */
export async function openSignedIn(
  t: TestContext,
  options: StartOptions = {},
): Promise<{ page: Page; vedette: Vedette }> {
  const vedette = await startVedette(t, options)
  if (vedette.setUpLink === null) throw new Error(`No set-up link was printed:\n${vedette.output()}`)
  const page = await openPage(t, vedette.setUpLink)
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Password again').fill(PASSWORD)
  await page.getByRole('button', { name: 'Set up and sign in' }).click()
  await page.getByRole('heading', { name: 'Checks', level: 1 }).waitFor()
  return { page, vedette }
}

/** Creates something over the API, for the tests that are about what comes after. */
export async function send<Answer>({ url, apiKey }: Vedette, path: string, body: unknown): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

/** Instead of whoever is signed in: somebody who may only read. */
export async function signInAsReader(page: Page, vedette: Vedette): Promise<void> {
  const { token } = await send<{ token: string }>(vedette, '/v1/accounts/me/invitations', { role: 'READ_ONLY' })
  await page.context().clearCookies()
  const answer = await page.request.post(`${vedette.url}/web/invitations/accept`, {
    data: { token, name: 'Bob', password: PASSWORD },
  })
  if (answer.status() !== 201) throw new Error(`Nobody has joined: ${answer.status()} ${await answer.text()}`)
}
