/** A row of bars, each for a stretch of time. Those that are alike and follow each other are one line with dashes. */
import { html, type Markup } from './html.ts'

export type Tone = 'good' | 'some' | 'bad' | 'unknown'

export interface Bars {
  /** Place of the first one. */
  at: number
  count: number
  tone: Tone
  title: string | null
}

/** Of a bar with the gap to the next one; the style dashes lines accordingly. */
const STEP = 10
const HEIGHT = 32
/** What was there for less than this share of the time had a bad time. */
const BAD_BELOW = 0.95

/** They are nothing to read: what they show is told in words too. */
export function drawBars(all: number, runs: readonly Bars[]): Markup {
  return html`<svg class="bars" viewBox="0 0 ${all * STEP} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${runs.map(
    ({ at, count, tone, title }) =>
      html`<path class="${tone}" d="M${at * STEP} ${HEIGHT / 2}h${count * STEP - 2}">${title === null ? null : html`<title>${title}</title>`}</path>`,
  )}</svg>`
}

/** Null: nothing is known. */
export function toneOfShare(share: number | null): Tone {
  if (share === null) return 'unknown'
  if (share === 1) return 'good'
  return share < BAD_BELOW ? 'bad' : 'some'
}
