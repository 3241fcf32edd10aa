/** One check on a dashboard: a line to take in at a glance, and behind it the last day and month. */
import type { DashboardSettings } from '@vedette/schema'
import { type Bars, drawBars, toneOfShare } from '../bars.ts'
import { milliseconds, percent } from '../figures.ts'
import { html, type Markup } from '../html.ts'
import { durationInWords } from '../instants.ts'
import { icon } from './icons.ts'
import type { ShownCheck } from './state.ts'
import { OF_STATE } from './words.ts'

export interface CheckLook {
  settings: DashboardSettings
  asOfMs: number
  /** Where the newest result is, or what there is of a check that nobody runs. */
  linkTo: (check: ShownCheck) => string
}

export function drawCheck(check: ShownCheck, { settings, asOfMs, linkTo }: CheckLook): Markup {
  const { name, state, figures } = check
  return html`<li class="check ${state}"><details${settings.expandChecks ? html` open` : null}>
<summary>${icon(state)}<span><span class="name">${name}</span><span class="about">${aboutOf(check, settings, asOfMs)}</span></span>
${drawShares(figures.hours)}
<span class="figures">${figure('24 hours', shareInWords(figures.last24Hours))}${figure('7 days', shareInWords(figures.last7Days))}${figure('30 days', shareInWords(figures.last30Days))}${
    settings.showP95 ? figure('p95', timeInWords(figures.p95Ms)) : null
  }${settings.showP99 ? figure('p99', timeInWords(figures.p99Ms)) : null}</span></summary>
<div class="more"><div><p class="label">Response time, 24 hours</p>${drawTimes(figures.hourlyP95Ms)}</div>
<div><p class="label">Availability, 30 days</p>${drawShares(figures.days)}<p>${daysInWords(figures.days)}</p></div>${
    settings.showCheckRunLinks
      ? html`
<p class="run"><a href="${linkTo(check)}">${check.resultId === null ? 'The check' : 'The latest run'}</a></p>`
      : null
  }</div></details></li>
`
}

function aboutOf({ state, sinceMs, groupName, tags }: ShownCheck, settings: DashboardSettings, asOfMs: number): Markup {
  const lasts =
    sinceMs !== null && (state === 'failing' || state === 'degraded') && asOfMs - sinceMs >= 60_000
      ? ` for ${durationInWords(asOfMs - sinceMs)}`
      : ''
  const group = settings.showGroupNames && groupName !== null ? html`<span class="group">${groupName}</span>` : null
  const labels =
    settings.hideTags || tags.length === 0
      ? null
      : html`<span class="tags">${tags.map((tag) => html`<span class="tag">${tag}</span> `)}</span>`
  return html`<span class="state">${OF_STATE[state]}${lasts}</span> ${group} ${labels}`
}

function figure(label: string, value: string): Markup {
  return html`<span class="figure"><small>${label}</small>${value}</span> `
}

function shareInWords(share: number | null): string {
  return share === null ? '–' : percent(share)
}

function timeInWords(ms: number | null): string {
  return ms === null ? '–' : milliseconds(ms)
}

function drawShares(shares: readonly (number | null)[]): Markup {
  const runs: Bars[] = []
  for (const [at, share] of shares.entries()) {
    const tone = toneOfShare(share)
    const last = runs.at(-1)
    if (last?.tone === tone) last.count += 1
    else runs.push({ at, count: 1, tone, title: null })
  }
  return drawBars(shares.length, runs)
}

/** What the bars show. */
function daysInWords(days: readonly (number | null)[]): string {
  const known = days.filter((share) => share !== null)
  const bad = known.filter((share) => share < 1).length
  if (known.length === 0) return 'Nothing is known yet.'
  const span = known.length === 1 ? '1 day' : `${known.length} days`
  return bad === 0 ? `No failure on ${span}.` : `Failures on ${bad} of ${span}.`
}

const WIDTH = 230
const HEIGHT = 56
const DASH = 6

interface Point {
  x: number
  y: number
}

/** The highest of the times touches the top. An hour without any interrupts the line. */
function drawTimes(times: readonly (number | null)[]): Markup {
  const known = times.filter((time) => time !== null)
  if (known.length === 0) return html`<p>Nothing was measured.</p>`
  const highest = Math.max(...known)
  const lowest = Math.min(...known)
  const step = WIDTH / Math.max(1, times.length - 1)
  const points = times.map((time, index) =>
    time === null
      ? null
      : {
          x: Math.round(index * step),
          y: Math.round(HEIGHT - 2 - (highest === 0 ? 0 : (time / highest) * (HEIGHT - 4))),
        },
  )
  const lines: Point[][] = []
  for (const [index, point] of points.entries()) {
    if (point === null) continue
    if (index === 0 || points[index - 1] === null) lines.push([])
    lines.at(-1)?.push(point)
  }
  const drawn = lines.map(visible)
  const path = drawn.map(lineThrough).join('')
  const area = drawn.map((line) => `${lineThrough(line)}V${HEIGHT}H${line[0]?.x ?? 0}z`).join('')
  return html`<svg class="line" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><path class="area" d="${area}"/><path d="${path}"/></svg>
<p>p95 ${milliseconds(lowest)}${lowest === highest ? null : html` to ${milliseconds(highest)}`}</p>`
}

/** A single point is drawn as a short line. */
function visible(points: readonly Point[]): readonly Point[] {
  const [first, ...others] = points
  if (first === undefined || others.length > 0) return points
  const x = Math.min(Math.max(first.x - DASH / 2, 0), WIDTH - DASH)
  return [
    { ...first, x },
    { ...first, x: x + DASH },
  ]
}

function lineThrough(points: readonly Point[]): string {
  return points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')
}
