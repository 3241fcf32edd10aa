/** Dashboards, the style sheets of their owners, and the keys of private ones. */
import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../app-error.ts'
import type { Links } from '../../links.ts'
import { customStyle } from '../../pages/dashboard/custom-css.ts'
import { addressOf, dashboardDocument, keyDocument, type Showing } from '../../pages/dashboard/document.ts'
import { opens, type PublicDashboards } from '../../pages/dashboard/public-dashboards.ts'
import { type DashboardView, type Look, renewalOf, type ShownCheck } from '../../pages/dashboard/state.ts'
import type { PublicDashboard } from '../../pages/dashboard/store.ts'
import { messagePage } from '../../pages/message-page.ts'
import type { RateLimits } from '../rate-limits.ts'
import { pageNumber } from './page-number.ts'
import { CACHE_CONTROL, LOADS_NOTHING, type PageKind, SLIGHTLY_OLD_MS, send, type Written } from './page-site.ts'

/** As long as browsers keep a cookie at most. The key may end before. */
const VISIT_SECONDS = 400 * 86_400
/** A style sheet is named for its content. Caches that others use must forget it soon: the dashboard may turn private. */
const FOR_GOOD = 'max-age=31536000, immutable'
const FOR_MINUTES = 'public, max-age=300'

const TOO_MANY = messagePage({
  title: 'Too many tries',
  text: 'Somebody at your address has tried many keys. Please wait a minute.',
})

export interface DashboardParts {
  dashboards: PublicDashboards
  limits: RateLimits
  links: Links
  publicUrl: string
}

export function dashboardKind({ dashboards, limits, links, publicUrl }: DashboardParts): PageKind {
  const ownHost = new URL(publicUrl).hostname
  const isSecure = publicUrl.startsWith('https:')
  const canonicalOf = ({ url, customDomain }: PublicDashboard) =>
    customDomain === null || customDomain === ownHost ? `${publicUrl}/dashboard/${url}` : `https://${customDomain}`

  const hasOpened = (dashboard: PublicDashboard, request: FastifyRequest) =>
    opens(dashboard, request.cookies[cookieOf(dashboard)])

  const linkTo = ({ accountId }: PublicDashboard, { id, resultId }: ShownCheck) =>
    resultId === null ? links.check(accountId, id) : links.result(accountId, id, resultId)

  // What is written of a copy is kept with it, for as long as it is.
  const written = new WeakMap<DashboardView, Map<string, Written>>()
  const writeOnce = (view: DashboardView, showing: Showing): Written => {
    if (showing.oldMs !== null) return dashboardDocument(view, showing)
    const texts = written.get(view) ?? new Map<string, Written>()
    written.set(view, texts)
    const name = `${showing.base} ${showing.stays}`
    const text = texts.get(name) ?? dashboardDocument(view, showing)
    texts.set(name, text)
    return text
  }

  return {
    prefix: 'dashboard',
    name: 'dashboard',
    exists: async (address, admit) => (await dashboards.find(address, admit)).value !== null,
    routes: [
      {
        path: '',
        async answer({ address, base }, request, reply, admit) {
          const look = lookOf(request)
          const found = await dashboards.find(address, admit)
          if (found.value === null || look === null) return null
          const dashboard = found.value
          if (!hasOpened(dashboard, request)) return askForKey(reply, base, false)
          const { value: view, isOld, ageMs } = await dashboards.view(dashboard, look.page, admit)
          if (view === null) return null
          const age = Math.max(isOld ? ageMs : 0, found.isOld ? found.ageMs : 0)
          const { settings } = dashboard
          const renewal = renewalOf({ ...look, page: view.page }, view.pages, settings)
          keeping(reply, dashboard, settings.isPrivate ? 'no-cache' : CACHE_CONTROL)
          // A header, because people who are read to can do something about it only where pages can be told to stay.
          reply.header('refresh', `${renewal.afterSeconds}; url=${addressOf(base, renewal.look)}`)
          return send(
            reply,
            200,
            writeOnce(view, {
              base,
              canonical: canonicalOf(dashboard),
              oldMs: age >= SLIGHTLY_OLD_MS ? age : null,
              stays: look.stays,
              linkTo: (check) => linkTo(dashboard, check),
            }),
          )
        },
      },
      {
        method: 'POST',
        path: '',
        async answer({ address, base }, request, reply, admit) {
          const { value: dashboard } = await dashboards.find(address, admit)
          if (dashboard === null) return null
          if (!dashboard.settings.isPrivate) return reply.redirect(base || '/', 303)
          const token = await dashboards.exchange(address, dashboard, keyIn(request.body))
          if (token === null) {
            return mayFail(request, reply) ? askForKey(reply, base, true) : send(privately(reply), 429, TOO_MANY)
          }
          reply.setCookie(cookieOf(dashboard), token, {
            path: base === '' ? '/' : '/dashboard',
            ...{ httpOnly: true, sameSite: 'lax', secure: isSecure, maxAge: VISIT_SECONDS },
          })
          return privately(reply).redirect(base || '/', 303)
        },
      },
      {
        path: '/style/:file',
        async answer({ address }, request, reply, admit) {
          const { value: dashboard } = await dashboards.find(address, admit)
          // Reading a style takes time: nobody makes us do it who may not see it.
          if (dashboard === null || !hasOpened(dashboard, request)) return null
          const style = customStyle(dashboard.settings.customCSS)
          const { file = '' }: { file?: string } = Object(request.params)
          if (style === null || file !== style.file) return null
          keeping(reply, dashboard, dashboard.settings.isPrivate ? FOR_GOOD : FOR_MINUTES)
          return send(reply, 200, { type: 'text/css', text: style.text, policy: LOADS_NOTHING })
        },
      },
    ],
  }

  /** Only wrong keys count, so that nobody keeps out a right one. They are too long to be guessed. */
  function mayFail(request: FastifyRequest, reply: FastifyReply): boolean {
    try {
      limits.chargeFailure(request, reply)
      return true
    } catch (error) {
      if (error instanceof AppError && error.code === 'too-many') return false
      throw error
    }
  }
}

/** One for each dashboard, so that several can be open side by side. */
function cookieOf({ dashboardId }: PublicDashboard): string {
  return `vedette_dashboard_${dashboardId}`
}

function askForKey(reply: FastifyReply, base: string, isWrong: boolean): FastifyReply {
  return send(privately(reply), 403, keyDocument({ base, isWrong }))
}

function privately(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'private, no-store').header('vary', 'cookie')
}

/** What is private is nothing for caches that others use. */
function keeping(reply: FastifyReply, { settings }: PublicDashboard, how: string): void {
  if (settings.isPrivate) reply.header('cache-control', `private, ${how}`).header('vary', 'cookie')
  else reply.header('cache-control', how)
}

/** Null for what is no look at a dashboard. */
function lookOf(request: FastifyRequest): Look | null {
  const page = pageNumber(request)
  const { shown = '0', stay }: { shown?: unknown; stay?: unknown } = Object(request.query)
  if (page === null || typeof shown !== 'string' || !/^\d{1,4}$/.test(shown)) return null
  return { page, shownSeconds: Number(shown), stays: stay === '1' }
}

/** As the form sends it; people copy keys with blanks around them. */
function keyIn(body: unknown): string {
  return typeof body === 'string' ? (new URLSearchParams(body).get('key') ?? '').trim() : ''
}
