/**
 * What the process does whose compiled code is kept: a script of ours that uses what scripts usually use, on a site of its
 * own. Its requests go the way of all requests, at the end of which it waits for them itself.
 */
import type { PlaywrightJob } from './job.ts'

const LIMIT_MS = 60_000
/** Where its requests go to, among its temporary files. */
export const OWN_WAY_OUT = 'way-out.sock'

const SITE = `import http from 'node:http'
import { expect, test } from '@playwright/test'

interface Answer { type: string; text: string }
const answers: Record<string, Answer> = {
  '/json': { type: 'application/json', text: '{"status":"ok","list":[1,2]}' },
  '/page': { type: 'text/html', text: '<title>Page</title><h1>Page</h1><label>Name <input id=name></label><button onclick="said.textContent = \\'Hello \\' + document.getElementById(\\'name\\').value">Send</button><p id=said></p><a href="/next">Next</a>' },
  '/next': { type: 'text/html', text: '<title>Next</title><h1>Next</h1>' },
}
const site = http.createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://primer.test')
  const { type, text } = answers[pathname] ?? { type: 'text/plain', text: '' }
  request.resume()
  response.setHeader('content-type', type).end(text)
})
site.on('connect', (_request, socket) => {
  socket.write('HTTP/1.1 200 Connection established\\r\\n\\r\\n')
  site.emit('connection', socket)
})
test.beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(process.env.TMPDIR + '/${OWN_WAY_OUT}', resolve))
})
test.afterAll(() => {
  site.close()
})
`

const REQUESTS = `
test('asks', async ({ request }) => {
  const response = await test.step('a step', () => request.get('http://primer.test/json'))
  expect(response.status()).toBe(200)
  await expect(response).toBeOK()
  expect(await response.json()).toMatchObject({ status: 'ok' })
  const sent = await request.post('http://primer.test/json', { data: { a: 1 }, headers: { 'x-a': 'b' } })
  expect(sent.ok()).toBeTruthy()
  expect(sent.headers()['content-type']).toContain('json')
  expect.soft((await sent.json()).list).toEqual([1, 2])
})
`

const PAGES = `
test('opens', async ({ page }) => {
  await page.goto('http://primer.test/page')
  await expect(page).toHaveTitle('Page')
  await page.getByLabel('Name').fill('you')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.locator('#said')).toHaveText('Hello you')
  await expect(page.getByRole('heading')).toBeVisible()
  await page.getByText('Next').click()
  await expect(page).toHaveURL(/next/)
  await page.screenshot()
})
`

/** An error is put together with more code than all the rest. */
const FAILS = `
test('fails', () => {
  test.fail()
  expect({ a: [1] }).toEqual({ a: [2] })
})
`

export function primer(hasPages: boolean): Extract<PlaywrightJob, { is: 'test' }> {
  const content = SITE + REQUESTS + (hasPages ? PAGES : '') + FAILS
  return {
    ...{ is: 'test', entry: 'primer.spec.ts', limitMs: LIMIT_MS, variables: {} },
    files: [{ path: 'primer.spec.ts', content, encoding: 'utf8' }],
    recording: { trace: hasPages ? 'retain-on-failure' : 'on', video: 'off', screenshot: hasPages ? 'on' : 'off' },
  }
}
