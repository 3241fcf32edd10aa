import assert from 'node:assert/strict'
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { leasedRun, listen } from './testing/builders.ts'
import { startProtocolServer } from './testing/protocol-server.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))
const environment = (url: string) => ({
  SERVER_URL: url,
  API_KEY: 'pl_1',
  EGRESS_POLICY: 'check-built-in',
  LOG_LEVEL: 'ERROR',
})

test('finishes its runs on SIGTERM and exits with 0', async (t) => {
  const server = await startProtocolServer(t)
  const child = spawn(process.execPath, [main], { env: environment(server.url), stdio: 'inherit' })
  t.after(() => child.kill('SIGKILL'))
  const port = await listen(t, (socket) =>
    socket.once('data', () => {
      child.kill('SIGTERM')
      setTimeout(() => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), 200)
    }),
  )
  server.give(leasedRun({ url: `http://127.0.0.1:${port}/` }))
  const [code] = await once(child, 'exit')
  assert.deepEqual([code, server.reports[0]?.verdict, server.signOuts], [0, 'passed', 1])
})

test('ends with the process that started it', async (t) => {
  const server = await startProtocolServer(t)
  for (const hasChannel of [true, false]) {
    const env = { ...environment(server.url), RUNNER_PARENT: '1' }
    const child = hasChannel
      ? fork(main, { env, execArgv: [] })
      : spawn(process.execPath, [main], { env, stdio: ['pipe', 'inherit', 'inherit'] })
    t.after(() => child.kill('SIGKILL'))
    const before = server.signIns
    await server.until(() => server.signIns > before)
    if (hasChannel) child.disconnect()
    else child.stdin?.end()
    const [code] = await once(child, 'exit')
    assert.equal(code, 0)
  }
})

test('says what is wrong with its environment', async () => {
  const child = spawn(process.execPath, [main], {
    env: { SERVER_URL: 'http://127.0.0.1:1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [message] = await once(child.stderr, 'data')
  const [code] = await once(child, 'exit')
  assert.deepEqual([String(message).trim(), code], ['API_KEY must be set', 2])
})
