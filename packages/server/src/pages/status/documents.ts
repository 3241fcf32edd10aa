/** The documents of a status page: the page itself, its history, and each of its incidents. */
import type { PublicDocument } from '../document.ts'
import { percent } from '../figures.ts'
import { html, type Markup } from '../html.ts'
import { day, instant } from '../instants.ts'
import { drawDays } from './days.ts'
import { frame, type Showing } from './frame.ts'
import { briefIncident, facts, openIncident, updates } from './incidents.ts'
import { PAST_DAYS, type ShownIncident, type ShownMaintenance, type StatusView } from './state.ts'
import type { PublicPage } from './store.ts'
import { subscribeForm } from './subscribe.ts'
import { OF_SERVICE, OVERALL, TONE } from './words.ts'

export function statusDocument(view: StatusView, showing: Showing): PublicDocument {
  const { page, overall, open, maintenance, past, cards, asOfMs } = view
  const { description } = page.settings
  const { base } = showing
  const main = html`<div class="box overall ${TONE[overall]}"><h1>${OVERALL[overall]}</h1></div>
${description === null || description === '' ? null : html`<p class="text">${description}</p>\n`}${section(
  'Open incidents',
  open.map((incident) => openIncident(incident, base, asOfMs)),
)}${section('Maintenance', maintenance.map(showMaintenance))}${cards.map(showCard)}
<section aria-labelledby="past"><h2 id="past">Past incidents</h2>
${past.length === 0 ? html`<p>No incident was resolved in the last ${PAST_DAYS} days.</p>\n` : null}${past.map(
  ({ dayMs, incidents }) =>
    html`<p class="muted">Resolved on ${day(dayMs)}</p>
<ul class="incidents">${incidents.map((incident) => briefIncident(incident, { base, nowMs: asOfMs, level: 3 }))}</ul>\n`,
)}<p><a href="${base}/history">All incidents</a></p></section>
${
  showing.takesSubscribers
    ? html`<section class="box" aria-labelledby="subscribe"><h2 id="subscribe">News by mail</h2>
${subscribeForm(base)}</section>`
    : null
}`
  const title = `${page.name}: ${OVERALL[overall]}`
  return frame(page, showing, { title, path: '', main, hasForm: showing.takesSubscribers })
}

function section(title: string, items: readonly Markup[]): Markup | null {
  if (items.length === 0) return null
  return html`<section><h2>${title}</h2>
<ul class="incidents">${items}</ul></section>\n`
}

function showMaintenance({ fromMs, untilMs, isRunning, services }: ShownMaintenance): Markup {
  return html`<li class="box"><h3>${isRunning ? 'Under way' : 'Planned'}: ${services.join(', ')}</h3>
<p class="small">${instant(fromMs)} to ${instant(untilMs)}</p></li>`
}

function showCard({ name, uptime, services }: StatusView['cards'][number]): Markup {
  return html`<section class="box card"><div class="row"><h2>${name}</h2>${
    uptime === null ? null : html`<span class="small">${percent(uptime)} over 90 days</span>`
  }</div>
<ul class="services">${services.map(
    (
      service,
    ) => html`<li><div class="row"><h3>${service.name}</h3><b class="${TONE[service.state]}">${OF_SERVICE[service.state]}</b></div>
${drawDays(service.days)}
<p class="small muted">${percent(service.uptime)} over the last 90 days</p></li>`,
  )}</ul></section>\n`
}

export interface HistoryView {
  page: PublicPage
  asOfMs: number
  incidents: ShownIncident[]
  /** From 1. */
  number: number
  hasMore: boolean
}

export function historyDocument(view: HistoryView, showing: Showing): PublicDocument {
  const { page, incidents, number, hasMore, asOfMs } = view
  const { base } = showing
  const path = number === 1 ? '/history' : `/history?page=${number}`
  const main = html`<h1>History of incidents</h1>
${incidents.length === 0 ? html`<p>There is no incident to show here.</p>` : null}<ul class="incidents">${incidents.map(
    (incident) => briefIncident(incident, { base, nowMs: asOfMs, level: 2 }),
  )}</ul>
<nav class="pages" aria-label="Pages of the history">${
    number === 1 ? null : html`<a rel="prev" href="${base}/history?page=${number - 1}">Newer</a>`
  }${hasMore ? html`<a rel="next" href="${base}/history?page=${number + 1}">Older</a>` : null}</nav>`
  return frame(page, showing, { title: `${page.name}: history`, path, main })
}

export interface IncidentView {
  page: PublicPage
  asOfMs: number
  incident: ShownIncident
}

export function incidentDocument({ page, incident, asOfMs }: IncidentView, showing: Showing): PublicDocument {
  const main = html`<h1>${incident.name}</h1>
<div class="box">${facts(incident, asOfMs)}
<h2>Updates</h2>
${updates(incident.updates)}</div>
<p><a href="${showing.base || '/'}">Back to the status</a></p>`
  return frame(page, showing, { title: `${incident.name}: ${page.name}`, path: `/incidents/${incident.id}`, main })
}
