/** Certificates of domains that browser checks name: the real runner shakes hands with real servers. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { createServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { routes } from '@vedette/schema'
import { portOf } from '../packages/runner/src/testing/builders.ts'
import { makeAuthority } from '../packages/runner/src/testing/certificates.ts'
import { makeBuiltInKey } from '../packages/server/src/auth/built-in-key.ts'
import { createLog } from '../packages/server/src/log.ts'
import { startBuiltInRunner } from '../packages/server/src/scheduling/built-in-runner.ts'
import { startInspections } from '../packages/server/src/scheduling/inspections.ts'
import { startTestServer, type TestServer } from '../packages/server/src/testing/test-server.ts'
import { until } from './start-vedette.ts'

const RUNNER = fileURLToPath(new URL('../packages/runner/src/main.ts', import.meta.url))

async function startRunner(t: TestContext, server: TestServer): Promise<void> {
  const { raw } = await makeBuiltInKey(server.db)
  const runner = startBuiltInRunner({
    mainFile: RUNNER,
    serverUrl: server.url,
    key: raw,
    name: 'built-in',
    egressAllow: ['127.0.0.0/8'],
    egressDeny: [],
    controlTargets: [],
    controlNames: [],
    logLevel: 'error',
    scriptIsolation: 'required',
    scriptEngine: 'warm',
    chromiumPath: null,
    scriptConcurrency: 2,
    log: createLog('error', () => {}),
    onLost: async () => {},
  })
  t.after(() => runner.stop())
}

/** Answers its port. */
async function serveTls(t: TestContext, credentials: { key: string; cert: string }): Promise<number> {
  const server = createServer(credentials, (socket) => socket.on('error', () => {}))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return portOf(server)
}

test('the days of a certificate are seen by a runner, whatever is wrong with the certificate', async (t) => {
  const server = await startTestServer(t)
  await startRunner(t, server)
  const locations: 'us-east-1'[] = ['us-east-1']
  const { id } = await server.call(routes.createBrowserCheck, {
    body: { name: 'Checkout', script: '// look', sslCheckDomain: '127.0.0.1', locations },
  })
  const daysLeft = async () => (await server.call(routes.getCheckStatus, { params: { checkId: id } })).sslDaysRemaining
  const { db, secrets, recording } = server
  const inspect = async (port: number) => {
    const parts = { db, secrets, locations: server.locations, log: recording.log }
    await until('a runner is there', async () => {
      await db.updateTable('certificate_inspections').set({ due_at: new Date() }).execute()
      return (await startInspections(parts, port)) === 1
    })
  }

  const authority = makeAuthority()
  await inspect(await serveTls(t, authority.issue('IP:127.0.0.1')))
  await until('the certificate was seen', async () => (await daysLeft()) === 1)
  await inspect(await serveTls(t, authority.issue('DNS:somebody.else', { expired: true })))
  await until('another one was seen', async () => ((await daysLeft()) ?? 1) < 0)

  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const port = portOf(free)
  free.close()
  const before = await daysLeft()
  await inspect(port)
  await until('it was told why', () => server.log.some((line) => /could not be inspected.*ECONNREFUSED/.test(line)))
  assert.equal(await daysLeft(), before)
  assert.deepEqual(await db.selectFrom('dry_runs').select('id').execute(), [])
})
