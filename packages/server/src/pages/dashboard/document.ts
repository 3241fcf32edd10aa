/** The documents of a dashboard: the page itself, and the one that asks for its key. */
import { type PublicDocument, publicDocument, shownLink } from '../document.ts'
import { html, type Markup } from '../html.ts'
import { durationInWords, instant } from '../instants.ts'
import { themeStyle } from '../theme.ts'
import { drawCheck } from './check.ts'
import { CHECK_STATES } from './check-state.ts'
import { customStyle } from './custom-css.ts'
import { ICONS, icon } from './icons.ts'
import type { DashboardView, Look, ShownCheck } from './state.ts'
import type { PublicDashboard, PublicIncident } from './store.ts'
import { DASHBOARD_STYLE } from './style.ts'
import { OF_IMPACT, OF_STATE, OF_UPDATE, overallInWords, overallState } from './words.ts'

const STYLE = themeStyle('AUTO', null) + DASHBOARD_STYLE

/** Where the dashboard is, as whoever asks sees it, and how old what they see is. */
export interface Showing {
  /** Before the paths of the page: `/dashboard/shop`, or nothing on a domain of its own. */
  base: string
  /** The address of the page for everybody. */
  canonical: string
  /** Null unless it is older than it should be. */
  oldMs: number | null
  stays: boolean
  linkTo: (check: ShownCheck) => string
}

export function dashboardDocument(view: DashboardView, showing: Showing): PublicDocument {
  const { dashboard, asOfMs, counts, checks, incidents } = view
  const { settings } = dashboard
  const { base, canonical, oldMs } = showing
  const name = nameOf(dashboard)
  const overall = overallState(counts)
  const favicon = shownLink(settings.favicon)
  const custom = customStyle(settings.customCSS)
  return publicDocument({
    title: `${overallInWords(counts)}: ${name}`,
    style: STYLE,
    head: html`<link rel="canonical" href="${canonical}">
${settings.isPrivate ? html`<meta name="robots" content="noindex">\n` : null}${
  favicon === null ? null : html`<link rel="icon" href="${favicon}">\n`
}${custom === null ? null : html`<link rel="stylesheet" href="${base}/style/${custom.file}">\n`}`,
    body: html`${ICONS}<a class="skip" href="#main">Skip to the checks</a>
${
  oldMs === null
    ? null
    : html`<p class="box old" role="status">What you see is old (${durationInWords(oldMs)}): it cannot be renewed for the moment.</p>\n`
}<div class="page"><div class="dashboard${settings.width === '960PX' ? ' narrow' : ''}">
${headerOf(dashboard, name)}
<main id="main" tabindex="-1">
<div class="summary ${overall}"><strong>${overallInWords(counts)}</strong><ul>${CHECK_STATES.map((state) => {
      const count = counts.get(state) ?? 0
      return count === 0 ? null : html`<li>${icon(state)}${count} ${OF_STATE[state].toLowerCase()}</li>`
    })}</ul></div>
${incidents.length === 0 ? null : html`<ul class="incidents" aria-label="Incidents">${incidents.map(drawIncident)}</ul>\n`}${
  checks.length === 0
    ? html`<p class="empty muted">No check has the tags that this dashboard shows.</p>`
    : html`<ul class="checks" aria-label="Checks">
${checks.map((check) => drawCheck(check, { settings, asOfMs, linkTo: showing.linkTo }))}</ul>`
}
</main></div></div>
<footer><span>Data as of ${instant(asOfMs)}</span>${pagerOf(view, showing)}</footer>`,
    imageHosts: originsOf([settings.logo, settings.favicon]),
    hasStyleSheet: custom !== null,
  })
}

function nameOf({ settings }: PublicDashboard): string {
  return settings.header ?? 'Dashboard'
}

/** What is not shown is still there for those who cannot see. */
function headerOf({ settings }: PublicDashboard, name: string): Markup {
  const { showHeader, description } = settings
  const logo = shownLink(settings.logo)
  const link = shownLink(settings.link)
  const image = logo === null ? null : html`<img src="${logo}" alt="${link === null ? '' : name}">`
  const brand = image === null || link === null ? image : html`<a href="${link}">${image}</a>`
  const title = showHeader ? html`<h1>${name}</h1>` : html`<h1 class="skip">${name}</h1>`
  const text =
    showHeader && description !== null && description !== '' ? html`<p class="text muted">${description}</p>` : null
  return html`<header class="${showHeader || brand !== null ? 'header' : ''}">${brand}<div>${title}${text}</div></header>`
}

const MOST_UPDATES = 3

function drawIncident({ name, impact, startsAtMs, endsAtMs, updates }: PublicIncident): Markup {
  return html`<li class="incident ${impact}"><div><h2>${name}</h2>
<p class="small muted">${OF_IMPACT[impact]}, since ${instant(startsAtMs)}${endsAtMs === null ? null : html`, until ${instant(endsAtMs)}`}</p></div>
<ol class="updates">${updates
    .slice(0, MOST_UPDATES)
    .map(
      ({ status, description, atMs }) =>
        html`<li><p><b>${OF_UPDATE[status]}</b> <span class="muted small">${instant(atMs)}</span></p><p class="text">${description}</p></li>`,
    )}</ol></li>`
}

function pagerOf({ page, pages, dashboard }: DashboardView, { base, stays }: Showing): Markup | null {
  if (pages === 1) return null
  const { paginate, paginationRate } = dashboard.settings
  const to = (number: number, staying: boolean) => addressOf(base, { page: number, shownSeconds: 0, stays: staying })
  const turning = stays
    ? html`<a href="${to(page, false)}">Turn pages again</a>`
    : html`<a href="${to(page, true)}">Stay on this page</a>`
  return html`<nav class="pager" aria-label="Pages">${paginate && !stays ? html`<span>Turns every ${durationInSeconds(paginationRate)}</span>` : null}
${page > 1 ? html`<a rel="prev" href="${to(page - 1, stays)}">Previous</a>` : null}
<span>Page ${page} of ${pages}</span>
${page < pages ? html`<a rel="next" href="${to(page + 1, stays)}">Next</a>` : null}
${paginate ? turning : null}</nav>`
}

function durationInSeconds(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${seconds / 60} min`
}

/** The path and query of a look. */
export function addressOf(base: string, { page, shownSeconds, stays }: Look): string {
  const query = [
    ...(page === 1 ? [] : [`page=${page}`]),
    ...(shownSeconds === 0 ? [] : [`shown=${shownSeconds}`]),
    ...(stays ? ['stay=1'] : []),
  ]
  return `${base || '/'}${query.length === 0 ? '' : `?${query.join('&')}`}`
}

/** Of the images of other hosts; those of our own need no mention. */
function originsOf(links: readonly (string | null)[]): string[] {
  const shown = links.map(shownLink).filter((link) => link !== null)
  const elsewhere = shown.filter((link) => !link.startsWith('/')).map((link) => URL.parse(link)?.origin)
  return [...new Set(elsewhere.filter((origin) => origin !== undefined))]
}

/** Asks for the key, and tells nothing of what it opens. */
export function keyDocument({ base, isWrong }: { base: string; isWrong: boolean }): PublicDocument {
  return publicDocument({
    title: 'Private dashboard',
    style: STYLE,
    head: html`<meta name="robots" content="noindex">\n`,
    body: html`<main class="key"><h1>Private dashboard</h1>
<p>Enter the key that you were given. This browser will remember it.</p>
<form method="post" action="${base || '/'}">
${isWrong ? html`<p class="wrong" role="alert" id="wrong">This key does not open this dashboard.</p>\n` : null}<label for="key">Key</label>
<input id="key" name="key" type="password" autocomplete="current-password" required autofocus maxlength="200"${isWrong ? html` aria-describedby="wrong" aria-invalid="true"` : null}>
<button class="button" type="submit">Open</button>
</form></main>`,
    imageHosts: [],
    hasForm: true,
  })
}
