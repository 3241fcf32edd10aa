/** `vedette start`: the server, its database and its own runner. */
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { runtimesHere } from '@vedette/runner/runtimes'
import { createLog, type RunningServer, readConfig, startServer } from '@vedette/server'
import type { Command } from '../command.ts'

export const start: Command = {
  summary: 'Start the server with its database and its own runner.',
  help: `Usage: vedette start

Reads the environment and the file .env in the current directory:
  PORT, HOST           where to listen (3000, 127.0.0.1)
  PUBLIC_URL           how people reach it, for links in messages
  DATA_DIR             where the embedded database keeps its data
  DATABASE_URL         a PostgreSQL server of your own instead
  SECRET_KEY           encrypts stored secrets (a file in DATA_DIR)
  LOCATIONS            the data-center locations that this machine serves (all), or none
  SMTP_URL, MAIL_FROM  the mail server for alerts by e-mail, and their sender
  INITIAL_API_KEY      key of the first administrator, on an empty database
  INITIAL_ACCOUNT_ID   id of the first account, on an empty database
The README lists them all.
`,
  async run() {
    growFreely()
    const config = readConfig(process.env)
    const log = createLog(config.logLevel)
    const runnerMain = fileURLToPath(import.meta.resolve('@vedette/runner/main'))
    const interrupted = untilSignal()
    const server = await startServer(config, log, { runnerMain, runtimes: runtimesHere() })
    settle()
    process.stdout.write(welcome(server, config.initialApiKey !== undefined))
    await interrupted
    process.stdout.write('Stopping. Runs in hand are finished first.\n')
    process.once('SIGINT', () => process.exit(130))
    await server.stop()
    return 0
  },
}

/**
 * After an idle while the engine keeps its heap small, and the next busy minute stops for a collection of 10 ms at every
 * few megabytes: measured on pages of 100 checks, six in 800 calls, and none without this.
 */
function growFreely(): void {
  setFlagsFromString('--no-memory-reducer')
}

/**
 * A third of the memory of a fresh process is what its start left behind, and would be held until it is busy. Young
 * objects keep the space that the start took, 32 MB: with more than the old ones have left, the engine marks all the time,
 * measured as a stop of 10 ms or more in every second of reading lists.
 */
function settle(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
  setFlagsFromString('--semi-space-growth-factor=1')
}

function welcome(server: RunningServer, hasInitialKey: boolean): string {
  const lines = [`Vedette listens at ${server.url}`]
  if (server.setUpLink !== null) lines.push(`Set it up:       ${server.setUpLink}`)
  if (hasInitialKey) lines.push('API key:         the one in INITIAL_API_KEY')
  lines.push(`Data:            ${server.data}`, 'Stop:            Ctrl-C', '')
  return lines.join('\n')
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
}
