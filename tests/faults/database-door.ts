/** A PostgreSQL of the test’s own, and the door to it, which the test can shut, hold, crowd or bar. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../packages/server/src/db/embedded/embedded-postgres.ts'
import { until } from '../start-vedette.ts'

/** What servers call themselves. */
const SERVER = 'vedette'
const TOO_MANY_CLIENTS = '53300'

export class DatabaseDoor {
  readonly #behind: pg.ClientConfig & { host: string; port: number }
  readonly #server: net.Server
  readonly #sockets = new Set<net.Socket>()
  #port = 0
  #isHeld = false

  private constructor(behind: pg.ClientConfig & { host: string; port: number }) {
    this.#behind = behind
    this.#server = net.createServer((socket) => this.#let(socket))
  }

  static async open(t: TestContext): Promise<DatabaseDoor> {
    const dataDir = await mkdtemp(join(tmpdir(), 'vedette-fault-'))
    const engine = await startEmbeddedPostgres({ dataDir, log: () => {} })
    t.after(async () => {
      await engine.stop()
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
    })
    const door = new DatabaseDoor(engine.connection)
    await door.reopen()
    t.after(() => door.shut())
    return door
  }

  get url(): string {
    const { user, password, database } = this.#behind
    return `postgres://${user}:${encodeURIComponent(String(password))}@127.0.0.1:${this.#port}/${database}`
  }

  /** Cuts all connections; new ones are refused. */
  async shut(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  async reopen(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The door has no port')
    this.#port = address.port
  }

  /** Nothing goes through any more, in either direction, though connections are accepted. */
  hold(): void {
    this.#isHeld = true
    for (const socket of this.#sockets) socket.pause()
  }

  letGo(): void {
    this.#isHeld = false
    for (const socket of this.#sockets) socket.resume()
  }

  /** Takes every connection that the engine has, those of the server too. Returns what gives them back. */
  async crowd(): Promise<() => Promise<void>> {
    const taken: pg.Client[] = []
    const takeAll = async () => {
      for (let client = await this.#take(); client !== null; client = await this.#take()) taken.push(client)
    }
    await takeAll()
    const [first] = taken
    if (first === undefined) throw new Error('There was no connection to be had')
    await until('the server has no connection left', async () => {
      const { rowCount } = await first.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
        [SERVER],
      )
      await takeAll()
      return rowCount === 0
    })
    return async () => void (await Promise.all(taken.map((client) => client.end())))
  }

  /** Locks what leasing and recording need. Returns what unlocks it. */
  async bar(): Promise<() => Promise<void>> {
    const client = await this.#connect()
    await client.query('begin')
    await client.query('lock table schedule in access exclusive mode')
    return () => client.end()
  }

  #let(socket: net.Socket): void {
    const { host, port } = this.#behind
    const onward = net.connect(join(host, `.s.PGSQL.${port}`))
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.#sockets.add(one)
      one.on('error', () => {})
      one.once('close', () => {
        this.#sockets.delete(one)
        other.destroy()
      })
      one.on('data', (bytes) => other.write(bytes))
      if (this.#isHeld) one.pause()
    }
  }

  async #take(): Promise<pg.Client | null> {
    try {
      return await this.#connect()
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === TOO_MANY_CLIENTS) return null
      throw error
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#behind, application_name: 'the test' })
    client.on('error', () => {})
    await client.connect()
    return client
  }
}
