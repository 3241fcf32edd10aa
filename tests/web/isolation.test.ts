/** What people see of how scripts are kept apart. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  HEARTBEAT_INTERVAL_MS,
  type Isolation,
  type PrivateLocation,
  type RunnerRuntime,
  type SignInAnswer,
} from '@vedette/schema'
import { openSignedIn, send } from './browser.ts'

test('locations and runners tell how scripts are kept apart, and warn where they are not', async (t) => {
  const { page, vedette } = await openSignedIn(t)
  /** A location of a name that a runner serves; to be called so that it stays alive. */
  const serve = async (slugName: string, isolation: Isolation, runtimes: readonly RunnerRuntime[]) => {
    const name = `The ${slugName}`
    const location = await send<PrivateLocation>(vedette, '/v1/private-locations', { name, slugName })
    const runner = { ...vedette, apiKey: location.keys[0]?.rawKey ?? '' }
    const body = { name: `${slugName}-1`, version: 'test', kinds: ['API', 'MULTI_STEP'], isolation, runtimes }
    const { runnerId } = await send<SignInAnswer>(runner, '/runner/v1/sign-in', body)
    return () => {
      void fetch(`${vedette.url}/runner/v1/heartbeat`, {
        method: 'POST',
        headers: { authorization: `Bearer ${runner.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ runnerId, trouble: null }),
      })
    }
  }
  const cellar = await serve('cellar', { level: 'strict', layers: ['seccomp', 'cgroup'] }, [])
  const attic = await serve('attic', { level: 'reduced', layers: [] }, [
    { id: '2025.04', playwright: '1.65.1', node: 'v24.21.0', engine: 'warm', packages: {} },
  ])
  // They are alive, however long the pages take.
  const alive = setInterval(() => {
    cellar()
    attic()
  }, HEARTBEAT_INTERVAL_MS)
  try {
    await page.goto(`${vedette.url}/locations`)
    const place = (slug: string) => page.getByRole('listitem').filter({ hasText: slug }).first()
    await place('cellar')
      .getByText(/empty root without a network of their own/)
      .waitFor()
    assert.equal(await place('cellar').getByRole('status').count(), 0)
    await place('cellar')
      .getByText('No runner here can execute multi-step or browser checks: no runtime is installed.')
      .waitFor()
    await place('attic').getByText('No runner here can execute browser checks: there is no browser').waitFor()
    await place('attic').getByText('Runtime 2025.04 with Playwright 1.65.1 on Node.js 24.21.0.').waitFor()
    const warning = place('attic').getByRole('status')
    assert.match(await warning.innerText(), /nothing but Node\.js keeps them apart/)

    await page.goto(`${vedette.url}/operations`)
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    await row('cellar-1').getByText('Strict', { exact: true }).waitFor()
    assert.match(await row('cellar-1').innerText(), /behind a filter of system calls, with limits of memory/)
    await row('attic-1').getByText('Reduced', { exact: true }).waitFor()
  } finally {
    clearInterval(alive)
  }
})
