/** How long a start takes, and how much memory an idle installation holds. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pause } from './pace.ts'
import { findInTree, residentMb } from './processes.ts'
import type { Row } from './table.ts'

const MAIN = fileURLToPath(new URL('../packages/cli/src/main.ts', import.meta.url))

async function start(dataDir: string): Promise<{ child: ChildProcess; readyMs: number }> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [MAIN, 'start'], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('Stop: ')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`It ended with ${code}.`)))
  })
  return { child, readyMs: performance.now() - startedAt }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  await ended
}

export async function benchStartUp(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vedette-bench-'))
  const first = await start(dataDir)
  await stop(first.child)
  const later = await start(dataDir)
  await pause(10_000)
  const server = later.child.pid ?? 0
  const runner = findInTree(server, 'runner/src/main.ts')
  const serverMb = residentMb([server])
  const runnerMb = residentMb([runner])
  await stop(later.child)
  await rm(dataDir, { recursive: true, force: true })
  return [
    {
      figure: 'Ready after the first start, packages installed',
      budget: '≤ 60 s',
      measured: `${(first.readyMs / 1000).toFixed(1)} s`,
      met: first.readyMs <= 60_000,
    },
    {
      figure: 'Ready after a later start',
      budget: '≤ 3 s',
      measured: `${(later.readyMs / 1000).toFixed(1)} s`,
      met: later.readyMs <= 3000,
    },
    {
      figure: 'Memory of server and runner, idle',
      budget: '≤ 250 MB',
      measured: `${(serverMb + runnerMb).toFixed(0)} MB (server ${serverMb.toFixed(0)}, runner ${runnerMb.toFixed(0)})`,
      met: serverMb + runnerMb <= 250,
    },
  ]
}
