/**
 * The server's event stream, and whether it flows. While it does not, queries poll instead.
 *
 * closed ──open──▶ flowing ──error──▶ waiting ──hello──▶ flowing … ──close──▶ closed
 */
import { EVENTS_PATH } from '@vedette/schema'
import { useSyncExternalStore } from 'react'

export const STREAM_STATES = ['closed', 'waiting', 'flowing'] as const
export type StreamState = (typeof STREAM_STATES)[number]

const REOPEN_AFTER_MS = 5000
/** Slower than without the stream, but not never: a proxy may hold back events without closing the connection. */
const POLL_WHILE_FLOWING_MS = 60_000
const POLL_OTHERWISE_MS = 10_000

let state: StreamState = 'closed'
const listeners = new Set<() => void>()

/** Opens the stream and calls back with the id of each check that has something new. Answers how to close it. */
export function openLiveStream(onCheck: (checkId: string) => void, onReturn: () => void): () => void {
  let source: EventSource | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let wasInterrupted = false

  const open = () => {
    source = new EventSource(EVENTS_PATH)
    source.addEventListener('hello', () => {
      setState('flowing')
      if (wasInterrupted) onReturn()
      wasInterrupted = false
    })
    source.addEventListener('check', (event) => {
      const checkId = readCheckId(event.data)
      if (checkId !== null) onCheck(checkId)
    })
    source.addEventListener('error', () => {
      wasInterrupted = true
      setState('waiting')
      // The browser reconnects by itself after a broken connection, but gives up when the server refuses.
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, REOPEN_AFTER_MS)
    })
  }

  setState('waiting')
  open()
  return () => {
    clearTimeout(timer)
    source?.close()
    setState('closed')
  }
}

export const useStreamState = (): StreamState => useSyncExternalStore(subscribe, () => state)

/** How often a query that live events also refresh should ask by itself. */
export const usePollingMs = (): number => (useStreamState() === 'flowing' ? POLL_WHILE_FLOWING_MS : POLL_OTHERWISE_MS)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function setState(next: StreamState): void {
  if (next === state) return
  state = next
  for (const listener of listeners) listener()
}

function readCheckId(data: unknown): string | null {
  try {
    const event: unknown = JSON.parse(String(data))
    if (typeof event === 'object' && event !== null && 'checkId' in event && typeof event.checkId === 'string') {
      return event.checkId
    }
  } catch {
    // An event that cannot be read is no reason to stop listening.
  }
  return null
}
