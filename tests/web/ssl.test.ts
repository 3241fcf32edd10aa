/** SSL checks, from the form to what a run shows. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selfSigned } from '../../packages/runner/src/testing/certificates.ts'
import { startTlsShop } from '../tls-shop.ts'
import { openSignedIn, send } from './browser.ts'

test('SSL checks', async (t) => {
  const port = await startTlsShop(t, { maxVersion: 'TLSv1.2' })
  const { page, vedette } = await openSignedIn(t)
  const { key, cert } = selfSigned()
  await send(vedette, '/v1/client-certificates', { host: '*.shop.test', key, cert })
  const rule = (wanted: string) => page.getByLabel(`${wanted}: what breaking it does`)
  const section = (name: string) => page.getByRole('region', { name, exact: true })

  await t.test('one is made by its form, and its run shows what was found', async () => {
    await page.goto(`${vedette.url}/checks/new`)
    await page.getByLabel('Kind').selectOption('SSL')
    await page.getByLabel('Host').fill(`https://127.0.0.1:${port}/`)
    await page.getByLabel('Warn so many days').fill('14')
    await page.getByText('More settings').click()
    await rule('Better, TLS of this version or newer').selectOption('else degrades')
    await page.getByRole('button', { name: 'Add assertion' }).click()
    await page.getByLabel('Source of assertion 1').selectOption('Connection')
    await page.getByLabel('Property of assertion 1').selectOption('grade by the baseline')
    await page.getByLabel('Target of assertion 1').fill('C')
    await page.getByLabel('Server name').fill('localhost')
    await page.getByLabel('Client certificate').selectOption({ index: 1 })
    await page.getByLabel('Accept any authority').check()
    await page.getByRole('button', { name: 'Add the check' }).click()

    await page.getByRole('heading', { name: 'Certificate of localhost' }).waitFor()
    await page.getByRole('table', { name: 'Runs, newest first' }).getByRole('link').first().click()
    await page.getByText(/the certificate expires in 1 day/).waitFor()
    assert.match(await section('Assertions').innerText(), /Held[\s\S]*Connection, grade by the baseline equals C/)
    const baseline = await section('Security baseline').innerText()
    assert.match(baseline, /Grade C/)
    assert.match(baseline, /Degrades\s+TLS version, recommended: TLS1\.2 was agreed upon/)
    assert.match(baseline, /Noted\s+Public log: /)
    const certificate = await section('Certificate').innerText()
    assert.match(certificate, /1 day left[\s\S]*Its authority: SELF_SIGNED_CERT_IN_CHAIN/)
    assert.match(certificate, /For\s+localhost[\s\S]*Issued by\s+CN=Test authority/)
    assert.match(certificate, /Key\s+EC, 256 bits, signed with ecdsa-with-SHA256/)
    assert.match(await section('Chain').innerText(), /2 certificates[\s\S]*CN=Test[\s\S]*CN=Test authority/)
    const connection = await section('Connection').innerText()
    assert.match(
      connection,
      /to 127\.0\.0\.1[\s\S]*TLS version\s+TLS1\.2[\s\S]*Authority trusted\s+no[\s\S]*name\s+yes/,
    )
    const phases = page.getByRole('table', { name: 'Phases of the connection' })
    assert.match(await phases.innerText(), /DNS[\s\S]*Connect[\s\S]*Handshake[\s\S]*In all/)
    assert.match(await section('Request').innerText(), new RegExp(`127\\.0\\.0\\.1:${port}\\s*IPv4, as localhost`))
  })

  await t.test('its form is filled with what was kept', async () => {
    await page.goBack()
    await page.getByText('Warns').waitFor()
    await page.getByRole('link', { name: 'Edit' }).click()
    assert.equal(await page.getByLabel('Host').inputValue(), '127.0.0.1')
    assert.equal(await page.getByLabel('Port').inputValue(), String(port))
    assert.equal(await page.getByLabel('Warn so many days').inputValue(), '14')
    assert.equal(await rule('Better, TLS of this version or newer').inputValue(), 'degrade')
    assert.equal(await page.getByLabel('Server name').inputValue(), 'localhost')
    const chosen = page.getByLabel('Client certificate').locator('option:checked')
    assert.match(await chosen.innerText(), /That for \*\.shop\.test/)
    await page.getByLabel('Server name').fill('192.0.2.1')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('must be a host name and no address').first().waitFor()
  })

  await t.test('without the baseline it is not judged, and a name that is not in the certificate fails', async () => {
    await page.getByLabel('Server name').fill('')
    await page.getByLabel('Judge how safely').uncheck()
    await page.getByRole('button', { name: 'Remove assertion 1' }).click()
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByText('the baseline of this check is switched off').waitFor()
    assert.match(await section('Outcome of the run').innerText(), /Failed/)
    await section('Certificate').getByText('Its names: ').waitFor()
  })
})
