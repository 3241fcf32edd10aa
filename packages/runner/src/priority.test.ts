import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { launchProcess } from './scripts/launcher.ts'
import { startProtocolServer } from './testing/protocol-server.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))

/** Of a runner that has signed in, and of its session where the kernel knows such a thing. */
async function prioritiesOf(t: TestContext, detached: boolean): Promise<{ own: number; session: number | null }> {
  const server = await startProtocolServer(t)
  const env = { SERVER_URL: server.url, API_KEY: 'pl_1', EGRESS_POLICY: 'check-built-in', LOG_LEVEL: 'ERROR' }
  const child = spawn(process.execPath, [main], { env, stdio: 'inherit', detached })
  const { pid } = child
  assert.ok(pid !== undefined)
  const ended = once(child, 'exit')
  try {
    await server.until(() => server.signIns > 0)
    return { own: os.getPriority(pid), session: sessionOf(pid) }
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

function sessionOf(pid: number): number | null {
  const path = `/proc/${pid}/autogroup`
  try {
    fs.accessSync(path, fs.constants.W_OK)
  } catch {
    return null
  }
  const nice = /nice (-?\d+)/.exec(fs.readFileSync(path, 'utf8'))?.[1]
  return nice === undefined ? null : Number(nice)
}

/** Whether this process may ask for more than others get: root in a container often may not. */
function mayAsk(): boolean {
  const before = os.getPriority()
  try {
    os.setPriority(before - 1)
    os.setPriority(before)
    return true
  } catch {
    return false
  }
}

test('a runner that is a service is given a processor before others, where it may ask for that', async (t) => {
  if (!mayAsk()) return t.skip('only root may ask for it')
  const { own, session } = await prioritiesOf(t, true)
  assert.equal(own, -5)
  if (session !== null) assert.equal(session, -5)
})

test('a runner in the session of somebody else changes nothing there', async (t) => {
  const before = { own: os.getPriority(), session: sessionOf(process.pid) }
  // Neither it nor we are the first of this session, unless somebody made us so.
  if (isLeader()) return t.skip('this test leads its session')
  assert.deepEqual(await prioritiesOf(t, false), before)
})

function isLeader(): boolean {
  const stat = fs.readFileSync('/proc/self/stat', 'latin1')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3] === String(process.pid)
}

test('what it starts has no such priority', async (t) => {
  if (!mayAsk()) return t.skip('only root may ask for it')
  const before = os.getPriority()
  os.setPriority(-5)
  const said: string[] = []
  try {
    await new Promise<void>((resolve) => {
      launchProcess(
        { command: 'nice', args: [], env: { PATH: process.env.PATH ?? '' }, user: null, given: {}, limits: { 1: 100 } },
        { started() {}, lines: (_, lines) => said.push(...lines), tooMuch() {}, ended: () => resolve() },
      )
    })
  } finally {
    os.setPriority(before)
  }
  assert.deepEqual(said, ['0'])
})
