/** Incidents for readers of feeds: RSS 2.0, Atom 1.0 (RFC 4287) and JSON Feed 1.1. */
import { OF_SEVERITY, OF_STATUS } from '@vedette/core'
import { html, type Markup, trusted } from '../html.ts'
import type { FEEDS } from './frame.ts'
import { beganAt, lastToldAt, type ShownIncident, type StatusView } from './state.ts'

export type FeedFile = (typeof FEEDS)[number]['file']

const XML = trusted('<?xml version="1.0" encoding="utf-8"?>\n')

/** `canonical` is the address of the page. */
export const feeds: Record<FeedFile, (view: StatusView, canonical: string) => string> = {
  'feed.rss': rss,
  'feed.atom': atom,
  'feed.json': json,
}

function rss(view: StatusView, canonical: string): string {
  const { page, latest } = view
  return html`${XML}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>${page.name}</title>
<link>${canonical}</link>
<description>${describe(view)}</description>
<atom:link href="${canonical}/feed.rss" rel="self" type="application/rss+xml"/>
<lastBuildDate>${new Date(changedAt(view)).toUTCString()}</lastBuildDate>
${latest.map(
  (incident) => html`<item>
<title>${titleOf(incident)}</title>
<link>${canonical}/incidents/${incident.id}</link>
<guid isPermaLink="false">${idOf(incident)}</guid>
<pubDate>${new Date(beganAt(incident)).toUTCString()}</pubDate>
<description>${content(incident)}</description>
</item>
`,
)}</channel></rss>
`.text
}

function atom(view: StatusView, canonical: string): string {
  const { page, latest } = view
  return html`${XML}<feed xmlns="http://www.w3.org/2005/Atom">
<title>${page.name}</title>
<subtitle>${describe(view)}</subtitle>
<id>${canonical}</id>
<link rel="alternate" type="text/html" href="${canonical}"/>
<link rel="self" type="application/atom+xml" href="${canonical}/feed.atom"/>
<updated>${new Date(changedAt(view)).toISOString()}</updated>
<author><name>${page.name}</name></author>
${latest.map(
  (incident) => html`<entry>
<title>${titleOf(incident)}</title>
<id>${idOf(incident)}</id>
<link rel="alternate" type="text/html" href="${canonical}/incidents/${incident.id}"/>
<published>${new Date(beganAt(incident)).toISOString()}</published>
<updated>${new Date(lastToldAt(incident)).toISOString()}</updated>
<content type="html">${content(incident)}</content>
</entry>
`,
)}</feed>
`.text
}

function json(view: StatusView, canonical: string): string {
  const { page, latest } = view
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: page.name,
    home_page_url: canonical,
    feed_url: `${canonical}/feed.json`,
    description: describe(view),
    language: 'en',
    items: latest.map((incident) => ({
      id: idOf(incident),
      url: `${canonical}/incidents/${incident.id}`,
      title: titleOf(incident),
      content_html: content(incident),
      date_published: new Date(beganAt(incident)).toISOString(),
      date_modified: new Date(lastToldAt(incident)).toISOString(),
    })),
  })
}

/** The same for ever, wherever the page moves. */
function idOf({ id }: ShownIncident): string {
  return `urn:uuid:${id}`
}

function titleOf({ name, updates }: ShownIncident): string {
  const [last] = updates
  return last === undefined ? name : `${name} (${OF_STATUS[last.status].toLowerCase()})`
}

function describe({ page }: StatusView): string {
  return page.settings.description || `Incidents of ${page.name}`
}

/** When anything in the feed was told last: it stays the same while nothing is. */
function changedAt({ latest }: StatusView): number {
  return Math.max(0, ...latest.map(lastToldAt))
}

/** Markup as text: feeds carry it escaped once more. */
function content({ severity, services, updates }: ShownIncident): string {
  const told: readonly Markup[] = updates.map(
    ({ status, description, atMs }) =>
      html`<p><strong>${OF_STATUS[status]}</strong> (${new Date(atMs).toISOString()})</p><p>${description
        .split('\n')
        .map((line, index) => html`${index === 0 ? null : trusted('<br>')}${line}`)}</p>`,
  )
  return html`<p>${OF_SEVERITY[severity]}: ${services.join(', ')}</p>${told}`.text
}
