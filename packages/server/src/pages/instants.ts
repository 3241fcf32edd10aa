/** Times as public pages show them: in UTC, and so that machines can read them too. */
import { html, type Markup } from './html.ts'

const DAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' })
const CLOCK = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

export const DAY_MS = 86_400_000

export function dayOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS
}

export function dayInWords(atMs: number): string {
  return DAY.format(atMs)
}

/** To the minute. */
export function instant(atMs: number): Markup {
  const machine = `${new Date(atMs).toISOString().slice(0, 16)}Z`
  return html`<time datetime="${machine}">${DAY.format(atMs)}, ${CLOCK.format(atMs)} UTC</time>`
}

export function day(atMs: number): Markup {
  return html`<time datetime="${new Date(atMs).toISOString().slice(0, 10)}">${dayInWords(atMs)}</time>`
}

/** In its two largest units: `1 d 2 h`. */
export function durationInWords(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return 'less than a minute'
  const parts = [
    [Math.floor(minutes / 1440), 'd'],
    [Math.floor(minutes / 60) % 24, 'h'],
    [minutes % 60, 'min'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}
