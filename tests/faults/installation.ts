/** The whole product on a data directory that outlives its processes, which can be ended one by one. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { startVedette, stopVedette, until, type Vedette } from '../start-vedette.ts'

export class Installation {
  readonly dataDir: string
  readonly port: number
  readonly apiKey = `cu_${randomBytes(16).toString('hex')}`
  readonly #t: TestContext
  readonly #env: Record<string, string>
  #vedette: Vedette | undefined

  private constructor(t: TestContext, dataDir: string, port: number, env: Record<string, string>) {
    this.#t = t
    this.dataDir = dataDir
    this.port = port
    this.#env = env
  }

  static async start(t: TestContext, env: Record<string, string> = {}): Promise<Installation> {
    const dataDir = await mkdtemp(join(tmpdir(), 'vedette-fault-'))
    const installation = new Installation(t, dataDir, await freePort(), env)
    t.after(async () => {
      await installation.#cleanUp()
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
    })
    await installation.startServer()
    return installation
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get server(): Vedette {
    if (this.#vedette === undefined) throw new Error('The server has not been started')
    return this.#vedette
  }

  /** Starts the server, for the first time or again: on the same data and the same port. */
  async startServer(): Promise<Vedette> {
    const { dataDir, port, apiKey } = this
    this.#vedette = await startVedette(this.#t, { dataDir, port, apiKey, env: this.#env })
    return this.#vedette
  }

  async stopServer(): Promise<number | null> {
    const { process: child } = this.server
    await stopVedette(child)
    return child.exitCode
  }

  async killServer(): Promise<void> {
    const { process: child } = this.server
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  /** The server's own runner. */
  async runnerPid(): Promise<number | undefined> {
    const found = (await processes()).find(
      ({ parent, command }) => parent === this.server.process.pid && /runner\/src\/main\.ts/.test(command),
    )
    return found?.pid
  }

  async postmasterPid(): Promise<number | undefined> {
    const text = await readFile(join(this.dataDir, 'postgresql', 'postmaster.pid'), 'utf8').catch(() => '')
    const pid = Number.parseInt(text, 10)
    return pid > 1 ? pid : undefined
  }

  async isUp(): Promise<boolean> {
    const response = await fetch(`${this.url}/health`).catch(() => undefined)
    await response?.arrayBuffer()
    return response?.status === 200
  }

  async #cleanUp(): Promise<void> {
    if (this.#vedette !== undefined) await stopVedette(this.#vedette.process)
    const pid = await this.postmasterPid()
    const isOurs = (await processes()).some((entry) => entry.pid === pid && entry.command.includes(this.dataDir))
    if (pid === undefined || !isOurs) return
    process.kill(pid, 'SIGINT')
    await until('PostgreSQL has ended', async () => (await this.postmasterPid()) === undefined)
  }
}

export interface ProcessEntry {
  pid: number
  parent: number
  command: string
}

/** What runs on this machine; what is dead and only waits to be reaped does not. */
export async function processes(): Promise<ProcessEntry[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,ppid=,stat=,args='])
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, state, command] = /^ *(\d+) +(\d+) +(\S+) +(.*)$/.exec(line) ?? []
    return command === undefined || state?.startsWith('Z')
      ? []
      : [{ pid: Number(pid), parent: Number(parent), command }]
  })
}

export async function isAlive(pid: number): Promise<boolean> {
  return (await processes()).some((entry) => entry.pid === pid)
}

export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('There is no free port')
  return address.port
}
