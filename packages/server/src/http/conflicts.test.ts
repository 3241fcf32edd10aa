import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startTestServer } from '../testing/test-server.ts'

test('of two heartbeats that take one token at the same moment, one is made and the other told so', async (t) => {
  const server = await startTestServer(t)
  // Of different accounts: within one, changes take turns.
  const keys = [server.apiKey, await server.keyFor('OWNER', await server.addAccount())]
  for (let round = 0; round < 10; round++) {
    const heartbeat = { period: 1, periodUnit: 'days', grace: 1, graceUnit: 'hours', pingToken: randomUUID() }
    const made = await Promise.all(
      keys.map((key) => server.send('POST', '/v1/checks/heartbeat', { key, body: { name: 'Job', heartbeat } })),
    )
    assert.deepEqual(made.map(({ status }) => status).sort(), [201, 409])
  }
  assert.deepEqual(server.log, [])
})
