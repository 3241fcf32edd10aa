/** Instants in the reader's own time: short to read, whole in the title. */
import { useSyncExternalStore } from 'react'
import { formatDistance, formatDuration } from './duration.ts'

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })
const dayAndClock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

export const formatFull = (at: string | number): string => full.format(new Date(at))

export function formatShort(at: string | number, now = Date.now()): string {
  const date = new Date(at)
  return (new Date(now).toDateString() === date.toDateString() ? clock : dayAndClock).format(date)
}

/** “12 s ago”, “in 3 min”: renewed every second. */
export function Ago({ at }: { at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={formatFull(at)} className="whitespace-nowrap">
      {formatDistance(Date.parse(at) - now)}
    </time>
  )
}

/** How long something has been so: “4 min”. */
export function Lasting({ since }: { since: string }) {
  const now = useNow()
  return (
    <time dateTime={since} title={formatFull(since)} className="whitespace-nowrap">
      {formatDuration(Math.max(0, now - Date.parse(since)))}
    </time>
  )
}

export function Instant({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatFull(at)} className="whitespace-nowrap">
      {formatShort(at)}
    </time>
  )
}

/** One timer for all clocks on the page, running while there is one. */
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

export const useNow = (): number => useSyncExternalStore(subscribe, () => now)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    now = Date.now()
    timer = setInterval(() => {
      now = Date.now()
      for (const one of listeners) one()
    }, 1000)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
