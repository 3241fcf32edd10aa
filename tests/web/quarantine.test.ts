/** What people see of a runner that is in trouble itself. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HEARTBEAT_INTERVAL_MS, type PrivateLocation, type SignInAnswer } from '@vedette/schema'
import { BEATS_BEFORE_QUARANTINE } from '../../packages/core/src/index.ts'
import { openSignedIn, send } from './browser.ts'

const TROUBLE = 'none of its control targets can be reached: the network of this runner seems to be gone'

test('a runner that is cut off is seen to be in quarantine, and one without controls to have none', async (t) => {
  const { page, vedette } = await openSignedIn(t)
  const location = await send<PrivateLocation>(vedette, '/v1/private-locations', { name: 'Office', slugName: 'office' })
  const runner = { ...vedette, apiKey: location.keys[0]?.rawKey ?? '' }
  const { runnerId } = await send<SignInAnswer>(runner, '/runner/v1/sign-in', {
    name: 'office-1',
    version: 'test',
    kinds: ['API'],
    controls: ['192.0.2.1:443', 'name example.com'],
  })
  const sayCutOff = async () => {
    const response = await fetch(`${vedette.url}/runner/v1/heartbeat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${runner.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ runnerId, trouble: TROUBLE, isCutOff: true }),
    })
    assert.equal(response.status, 204)
  }
  for (let beat = 0; beat < BEATS_BEFORE_QUARANTINE; beat += 1) await sayCutOff()
  // It is alive, however long the pages take.
  const alive = setInterval(() => void sayCutOff(), HEARTBEAT_INTERVAL_MS)
  try {
    await page.goto(`${vedette.url}/locations`)
    const office = page.getByRole('listitem').filter({ hasText: 'office' }).first()
    await office.getByText('In quarantine', { exact: true }).waitFor()
    assert.match(await office.innerText(), /none of its control targets can be reached.*blame no target/s)

    await page.goto(`${vedette.url}/operations`)
    const row = page.getByRole('row').filter({ hasText: 'office-1' })
    await row.getByText('In quarantine', { exact: true }).waitFor()
    assert.match(await row.innerText(), /192\.0\.2\.1:443, name example\.com/)
    const builtIn = page.getByRole('row').filter({ hasText: 'on this machine' })
    assert.match(await builtIn.innerText(), /Set CONTROL_TARGETS/)
  } finally {
    clearInterval(alive)
  }
})
