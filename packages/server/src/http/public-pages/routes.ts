/** What people see without an account: status pages, with what their readers subscribe to, and dashboards. */
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../db/clock.ts'
import type { Db } from '../../db/database.ts'
import { statusPageAddress } from '../../links.ts'
import type { StatusPages } from '../../pages/status/public-pages.ts'
import type { Subscribers } from '../../subscribers/enqueue.ts'
import type { CallsInHand } from '../calls-in-hand.ts'
import { type DashboardParts, dashboardKind } from './dashboards.ts'
import {
  type AnswerUnknown,
  answerNotFound,
  answerTrouble,
  placeBelow,
  placeOnDomain,
  servePages,
} from './page-site.ts'
import { STATUS_PAGES, statusPageKind } from './status-pages.ts'
import { serveSubscriptions } from './subscriptions.ts'

export interface PublicPageParts extends DashboardParts {
  db: Db
  clock: Clock
  pages: StatusPages
  subscribers: Subscribers
  inHand: CallsInHand
  /** Whether mail can be asked for: there is a mail server. */
  takesSubscribers: boolean
}

export async function servePublicPages(app: FastifyInstance, parts: PublicPageParts): Promise<AnswerUnknown> {
  const { publicUrl, takesSubscribers } = parts
  await serveSubscriptions(app, {
    ...parts,
    place: (request) =>
      Object(request.params).url === undefined ? placeOnDomain(request, publicUrl) : placeBelow(request, STATUS_PAGES),
    showing: (page, { asOfMs, base }) => ({
      ...{ base, asOfMs, takesSubscribers, oldMs: null },
      canonical: statusPageAddress(publicUrl, page),
    }),
    answerNotFound: (reply) => answerNotFound(reply, STATUS_PAGES),
    answerTrouble: (reply, error) => answerTrouble(reply, error, STATUS_PAGES),
  })
  return servePages(app, [statusPageKind(parts), dashboardKind(parts)], parts)
}
