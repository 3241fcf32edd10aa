/** Incidents as the pages show them. */
import { OF_SEVERITY, OF_STATUS, troubleMs } from '@vedette/core'
import { html, type Markup } from '../html.ts'
import { durationInWords, instant } from '../instants.ts'
import { beganAt, isOpen, type ShownIncident } from './state.ts'
import type { PublicUpdate } from './store.ts'
import { TONE } from './words.ts'

/** A page that nobody can read to its end helps nobody. */
const MOST_UPDATES = 20
const EXCERPT_LENGTH = 300

/** With all that was told, the newest first. */
export function openIncident(incident: ShownIncident, base: string, nowMs: number): Markup {
  return html`<li class="box"><h3>${linkTo(incident, base)}</h3>
${facts(incident, nowMs)}
${updates(incident.updates.slice(0, MOST_UPDATES))}</li>`
}

/** With the last word on it. */
export function briefIncident(
  incident: ShownIncident,
  { base, nowMs, level }: { base: string; nowMs: number; level: 2 | 3 },
): Markup {
  const [last] = incident.updates
  return html`<li class="box"><h${level}>${linkTo(incident, base)}</h${level}>
${facts(incident, nowMs)}
${last === undefined ? null : html`<p class="text"><b>${OF_STATUS[last.status]}</b>: ${excerpt(last.description)}</p>`}</li>`
}

export function updates(told: readonly PublicUpdate[]): Markup {
  return html`<ol class="updates">${told.map(
    ({ status, description, atMs }) =>
      html`<li><p><b>${OF_STATUS[status]}</b> <span class="muted small">${instant(atMs)}</span></p>
<p class="text">${description}</p></li>`,
  )}</ol>`
}

export function facts(incident: ShownIncident, nowMs: number): Markup {
  const lasted = durationInWords(troubleMs(incident.steps, nowMs))
  const span = incident.steps.some(({ status }) => status !== 'RESOLVED')
    ? isOpen(incident)
      ? html`, for ${lasted} so far`
      : html`, lasted ${lasted}`
    : null
  return html`<p class="small"><b class="${TONE[incident.severity]}">${OF_SEVERITY[incident.severity]}</b> · ${incident.services.join(', ')}<br>
<span class="muted">Since ${instant(beganAt(incident))}${span}</span></p>`
}

function linkTo({ id, name }: ShownIncident, base: string): Markup {
  return html`<a href="${base}/incidents/${id}">${name}</a>`
}

function excerpt(text: string): string {
  const letters = [...text]
  return letters.length <= EXCERPT_LENGTH ? text : `${letters.slice(0, EXCERPT_LENGTH - 1).join('')}…`
}
