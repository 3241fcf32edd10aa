/** What all pages about a status page have in common: its head, header and footer. */
import { type PublicDocument, publicDocument, shownLink } from '../document.ts'
import { html, type Markup } from '../html.ts'
import { durationInWords, instant } from '../instants.ts'
import { themeStyle } from '../theme.ts'
import type { PublicPage } from './store.ts'
import { STATUS_STYLE } from './style.ts'

/** Where the page is, as whoever asks sees it, and how old what they see is. */
export interface Showing {
  /** Before the paths of the page: `/status/shop`, or nothing on a domain of its own. */
  base: string
  /** The address of the page for everybody. */
  canonical: string
  asOfMs: number
  /** Null unless it is older than it should be. */
  oldMs: number | null
  /** Whether people can ask for mail. */
  takesSubscribers: boolean
}

export const FEEDS = [
  { file: 'feed.rss', type: 'application/rss+xml', name: 'RSS' },
  { file: 'feed.atom', type: 'application/atom+xml', name: 'Atom' },
  { file: 'feed.json', type: 'application/feed+json', name: 'JSON' },
] as const

export function frame(
  page: PublicPage,
  { base, canonical, asOfMs, oldMs, takesSubscribers }: Showing,
  { title, path, main, hasForm = false }: { title: string; path: string; main: Markup; hasForm?: boolean },
): PublicDocument {
  const { settings } = page
  const favicon = shownLink(settings.favicon)
  return publicDocument({
    title,
    hasForm,
    style: themeStyle(settings.defaultTheme, settings.themeColors) + STATUS_STYLE,
    head: html`<link rel="canonical" href="${canonical}${path}">
${settings.description === null ? null : html`<meta name="description" content="${settings.description}">\n`}${
  favicon === null ? null : html`<link rel="icon" href="${favicon}">\n`
}${FEEDS.map(
  ({ file, type, name }) =>
    html`<link rel="alternate" type="${type}" title="${page.name} (${name})" href="${base}/${file}">\n`,
)}`,
    body: html`<a class="skip" href="#main">Skip to the content</a>
<header><div class="wrap">${brand(page, base)}
<nav aria-label="Status page"><ul><li><a href="${base || '/'}">Status</a></li><li><a href="${base}/history">History</a></li>${takesSubscribers ? html`<li><a href="${base || '/'}#subscribe">News by mail</a></li>` : null}<li><a class="button" href="${base}/feed.rss">Follow by RSS</a></li></ul></nav></div></header>
<main id="main" class="wrap" tabindex="-1">${
      oldMs === null
        ? null
        : html`<p class="box old" role="status">What you see is old (${durationInWords(oldMs)}): it cannot be renewed for the moment.</p>\n`
    }
${main}
</main>
<footer><div class="wrap">Data as of ${instant(asOfMs)}. All times are in UTC.</div></footer>`,
  })
}

function brand({ name, settings }: PublicPage, base: string): Markup {
  const usual = shownLink(settings.logo)
  const dark = shownLink(settings.logoDark)
  const logo = settings.defaultTheme === 'DARK' ? (dark ?? usual) : (usual ?? dark)
  const other = settings.defaultTheme === 'AUTO' && dark !== null && dark !== logo ? dark : null
  // The name stands beside it, and says all there is to say.
  const image = logo === null ? null : html`<img src="${logo}" alt="">`
  const picture =
    other === null
      ? image
      : html`<picture><source media="(prefers-color-scheme: dark)" srcset="${other}">${image}</picture>`
  const link = shownLink(settings.redirectTo) ?? (base || '/')
  return html`<a class="brand" href="${link}">${picture}<span>${name}</span></a>`
}
