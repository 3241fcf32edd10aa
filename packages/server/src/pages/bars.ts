/**
 * A row of bars, each for a stretch of time. Those that are alike and follow each other are one line with dashes, and lines
 * that look the same and have no title are drawn together.
 */
import { html, type Markup } from './html.ts'

const TONES = ['good', 'some', 'bad', 'unknown'] as const
export type Tone = (typeof TONES)[number]

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
  const titled = runs.filter(({ title }) => title !== null).map((run) => [run])
  const plain = TONES.map((tone) => runs.filter((run) => run.title === null && run.tone === tone))
  return html`<svg class="bars" viewBox="0 0 ${all * STEP} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${[
    ...titled,
    ...plain,
  ].map(drawAlike)}</svg>`
}

/** Of one tone, and with one title at most. */
function drawAlike(runs: readonly Bars[]): Markup | null {
  const [first] = runs
  if (first === undefined) return null
  const { tone, title } = first
  const lines = runs.map(({ at, count }) => `M${at * STEP} ${HEIGHT / 2}h${count * STEP - 2}`).join('')
  return html`<path class="${tone}" d="${lines}">${title === null ? null : html`<title>${title}</title>`}</path>`
}

/** Null: nothing is known. */
export function toneOfShare(share: number | null): Tone {
  if (share === null) return 'unknown'
  if (share === 1) return 'good'
  return share < BAD_BELOW ? 'bad' : 'some'
}
