/** The last 90 days of a service: bars to look at, and the same in words. Days that were alike and follow each other are told together. */

import { drawBars, type Tone, toneOfShare } from '../bars.ts'
import { percent } from '../figures.ts'
import { html, type Markup } from '../html.ts'
import { dayInWords, durationInWords } from '../instants.ts'
import type { ShownDay } from './state.ts'

interface Run {
  /** Place of the first day. */
  at: number
  days: ShownDay[]
  tone: Tone
}

export function drawDays(days: readonly ShownDay[]): Markup {
  const runs = runsOf(days)
  return html`${drawBars(
    days.length,
    runs.map(({ at, days: alike, tone }) => ({ at, count: alike.length, tone, title: inWords(alike) })),
  )}
<details class="small"><summary>Day by day</summary><ul class="days">${runs
    .toReversed()
    .map(({ days: alike }) => html`<li>${inWords(alike)}</li>`)}</ul></details>`
}

/** A day with trouble stands alone. */
function runsOf(days: readonly ShownDay[]): Run[] {
  const runs: Run[] = []
  for (const [at, day] of days.entries()) {
    const tone = toneOf(day)
    const last = runs.at(-1)
    if (last !== undefined && last.tone === tone && (tone === 'good' || tone === 'unknown')) last.days.push(day)
    else runs.push({ at, days: [day], tone })
  }
  return runs
}

function toneOf({ uptime, troubleMs }: ShownDay): Tone {
  return uptime !== null && troubleMs === 0 ? 'good' : toneOfShare(uptime)
}

function inWords(days: readonly ShownDay[]): string {
  const [first] = days
  const last = days.at(-1)
  if (first === undefined || last === undefined) return ''
  const when =
    days.length === 1 ? dayInWords(first.fromMs) : `${dayInWords(first.fromMs)} to ${dayInWords(last.fromMs)}`
  if (first.uptime === null) return `${when}: no data`
  if (first.troubleMs === 0) return `${when}: ${percent(1)}`
  return `${when}: ${percent(first.uptime)}, ${durationInWords(first.troubleMs)} of trouble`
}
