import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { routes } from '@vedette/schema'
import { judge, untilAllGoOn } from './findings.ts'
import { Installation, isAlive } from './installation.ts'
import { putUnderLoad } from './load.ts'

test('a server that is told to stop finishes what it has in hand and leaves port and data free', async (t) => {
  const installation = await Installation.start(t)
  const load = await putUnderLoad(t, installation)
  await load.showAll('passed')
  const runner = await installation.runnerPid()
  const postmaster = await installation.postmasterPid()
  assert.ok(runner !== undefined && postmaster !== undefined)

  const askedAt = performance.now()
  assert.equal(await installation.stopServer(), 0, installation.server.output())
  const stopMs = performance.now() - askedAt
  assert.deepEqual([await isAlive(runner), await isAlive(postmaster)], [false, false])
  assert.doesNotMatch(installation.server.output(), /"level":"error"/)

  const startedAt = Date.now()
  await installation.startServer()
  const startMs = Date.now() - startedAt
  // Had a lease remained, its check would stand still until the lost runner is noticed.
  await untilAllGoOn(load, startedAt, 13_000)
  const { runs } = await load.api.call(routes.getOperations)
  await load.end()
  const found = await judge(load)
  const { lost, doubled, silent, falseDown } = found
  t.diagnostic(
    `told to stop under load: stopped in ${Math.round(stopMs)} ms, started in ${Math.round(startMs)} ms, ` +
      `${found.results} results, ${lost.length} lost, ${doubled.length} doubled, ${found.missed} slots counted as missed`,
  )
  assert.equal(runs.oldestOverdueMs === null || runs.oldestOverdueMs < 5000, true)
  assert.deepEqual({ lost, doubled, silent, falseDown }, { lost: [], doubled: [], silent: [], falseDown: [] })
  assert.deepEqual([...load.api.broken, ...load.elsewhere.broken], [])
})

test('a second server says in one sentence why it cannot start, and leaves the first one alone', async (t) => {
  const installation = await Installation.start(t)
  const elsewhere = await mkdtemp(join(tmpdir(), 'vedette-fault-'))
  t.after(() => rm(elsewhere, { recursive: true, force: true }))

  const sameData = await run({ DATA_DIR: installation.dataDir, PORT: '0' })
  assert.match(sameData.output, /^The data directory \S+ is in use by another Vedette \(pid \d+\)\n$/)
  assert.equal(sameData.code, 1)

  const samePort = await run({ DATA_DIR: elsewhere, PORT: String(installation.port) })
  assert.match(
    samePort.output,
    /^Port \d+ on 127\.0\.0\.1 is in use by another program\. Choose another one with PORT\.\n$/,
  )
  assert.equal(samePort.code, 1)

  assert.ok(await installation.isUp())
  assert.equal(await installation.stopServer(), 0)
})

async function run(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))
  const child = spawn(process.execPath, [main, 'start'], {
    env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  await once(child, 'close')
  return { code: child.exitCode, output }
}
