/**
 * Wake-ups between servers through PostgreSQL's LISTEN and NOTIFY. They only make things quicker: whoever waits also
 * looks again after a while, so that a lost signal costs time and nothing else.
 */

import { sql } from 'kysely'
import type pg from 'pg'
import type { Log } from '../log.ts'
import type { Database, Db } from './database.ts'

/**
 * `runs`: work came due sooner than planned, payload: location numbers. `sessions`: one ended, payload: its id.
 * `mails`: something is to be sent to subscribers of status pages. `changes`: the configuration of an account has changed, payload: its id.
 */
export const SIGNALS = ['runs', 'sessions', 'notifications', 'mails', 'changes'] as const
export type Signal = (typeof SIGNALS)[number]

export interface Signals {
  /** Returns how to stop listening. After a reconnect every listener hears an empty payload. */
  on(signal: Signal, listener: (payload: string) => void): () => void
  /** False while signals could pass unheard. */
  isListening(): boolean
  stop(): Promise<void>
}

const RECONNECT_MS = 500

/** PostgreSQL refuses payloads of 8000 bytes or more. */
const LONGEST_PAYLOAD = 7000

/** Sent when the transaction commits. A payload that is too long becomes an empty one: it concerns everybody. */
export async function notify(db: Db, signal: Signal, payload = ''): Promise<void> {
  await sql`select pg_notify(${signal}, ${payload.length > LONGEST_PAYLOAD ? '' : payload})`.execute(db)
}

export async function startSignals(database: Database, log: Log): Promise<Signals> {
  const listeners = new Map<Signal, Set<(payload: string) => void>>(SIGNALS.map((signal) => [signal, new Set()]))
  let client: pg.Client | undefined
  let listening = false
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const tell = (signal: string, payload: string) => {
    const known = SIGNALS.find((candidate) => candidate === signal)
    if (known !== undefined) for (const listener of [...(listeners.get(known) ?? [])]) listener(payload)
  }
  const connect = async () => {
    const fresh = await database.connect()
    const lost = () => {
      if (client !== fresh) return
      client = undefined
      listening = false
      if (!stopped) timer = setTimeout(reconnect, RECONNECT_MS)
    }
    client = fresh
    fresh.on('error', lost)
    fresh.on('end', lost)
    fresh.on('notification', (message) => tell(message.channel, message.payload ?? ''))
    for (const signal of SIGNALS) await fresh.query(`listen ${signal}`)
    listening = client === fresh
  }
  const reconnect = () => {
    connect().then(
      () => {
        for (const signal of SIGNALS) tell(signal, '')
      },
      (error) => {
        log.debug('Cannot listen to the database yet', { error })
        if (!stopped) timer = setTimeout(reconnect, RECONNECT_MS)
      },
    )
  }

  await connect()
  return {
    on(signal, listener) {
      listeners.get(signal)?.add(listener)
      return () => listeners.get(signal)?.delete(listener)
    },
    isListening: () => listening,
    async stop() {
      stopped = true
      listening = false
      clearTimeout(timer)
      await client?.end().catch(() => undefined)
    },
  }
}
