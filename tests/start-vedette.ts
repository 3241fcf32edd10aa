/** Starts the whole product for a test, as `npm start` does, and stops it afterwards. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createMigratedDatabase } from '../packages/server/src/testing/migrated-database.ts'

const MAIN = fileURLToPath(new URL('../packages/cli/src/main.ts', import.meta.url))
const READY_WITHIN_MS = 60_000

export interface Vedette {
  url: string
  apiKey: string
  setUpLink: string | null
  dataDir: string
  /** The server process: `vedette start`. */
  process: ChildProcess
  /** Everything it printed. */
  output(): string
}

export interface StartOptions {
  dataDir?: string
  apiKey?: string
  port?: number
  /** With a database engine of its own, as it has where nobody names one. To make one takes longer than most tests. */
  isWhole?: boolean
  env?: Record<string, string>
}

/** With a data directory and a database of its own, which go away with the test, unless a directory is given. */
export async function startVedette(t: TestContext, options: StartOptions = {}): Promise<Vedette> {
  const own = options.dataDir === undefined
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'vedette-test-')))
  const apiKey = options.apiKey ?? `cu_${randomBytes(16).toString('hex')}`
  const database =
    own && !options.isWhole && options.env?.DATABASE_URL === undefined ? await createMigratedDatabase() : null
  const child = spawn(process.execPath, [MAIN, 'start'], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(options.port ?? 0),
      DATA_DIR: dataDir,
      INITIAL_API_KEY: apiKey,
      LOG_LEVEL: 'warn',
      // Tests have many hands.
      RATE_LIMIT: '0',
      CHANNEL_MESSAGES_PER_MINUTE: '0',
      // A check that appears by itself would surprise them.
      SELF_WATCH: 'off',
      ...(database && { DATABASE_URL: database.url }),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  t.after(async () => {
    await stopVedette(child)
    await database?.drop()
    if (own) await rm(dataDir, { recursive: true, force: true })
  })
  await until(
    `Vedette is ready: ${printed}`,
    () => {
      if (child.exitCode !== null) throw new Error(`Vedette ended with code ${child.exitCode}:\n${printed}`)
      return /Stop: /.test(printed)
    },
    READY_WITHIN_MS,
  )
  const url = /listens at (\S+)/.exec(printed)?.[1]
  if (url === undefined) throw new Error(`Vedette did not say where it listens:\n${printed}`)
  return {
    url,
    apiKey,
    setUpLink: /Set it up: +(\S+)/.exec(printed)?.[1] ?? null,
    dataDir,
    process: child,
    output: () => printed,
  }
}

export async function stopVedette(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Waits for a condition; fails with the sentence when it does not come true in time. */
export async function until(what: string, condition: () => unknown, withinMs = 30_000, everyMs = 50): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
