/** Badges: public pictures of how checks are doing. */
import { drawBadge } from '@vedette/core'
import { type BadgeState, type QueryOf, routes } from '@vedette/schema'
import { notFound } from '../../app-error.ts'
import type { Db } from '../../db/database.ts'
import { measure } from '../../results/measure.ts'
import type { KnownCheck } from '../../results/roll-up-store.ts'
import type { Call, Serve } from '../serve.ts'
import { shownCheck, shownGroup } from './store.ts'

const DAY_MS = 86_400_000

const FROM_WORST = ['failing', 'degraded', 'passing'] as const

type BadgeRoute = typeof routes.getCheckBadge

export function serveBadges(serve: Serve, db: Db, retentionDays: number): void {
  const draw = async (
    { query, reply }: { query: QueryOf<BadgeRoute>; reply: Call<BadgeRoute>['reply'] },
    { name, state, checks }: { name: string; state: BadgeState; checks: readonly KnownCheck[] },
  ) => {
    const responseTimeMs = query.responseTime === true ? await averageOf(db, checks, retentionDays) : null
    reply.type('image/svg+xml; charset=utf-8').header('cache-control', 'public, max-age=60')
    return drawBadge({ name, state, responseTimeMs, style: query.style ?? 'flat', theme: query.theme ?? 'default' })
  }

  serve(routes.getCheckBadge, async ({ params, ...call }) => {
    const check = await shownCheck(db, params.checkId)
    if (check === undefined) throw notFound()
    return draw(call, { name: check.name, state: check.state ?? 'unknown', checks: [check] })
  })

  serve(routes.getGroupBadge, async ({ params, ...call }) => {
    const group = await shownGroup(db, params.groupId)
    if (group === undefined) throw notFound()
    const states = new Set(group.checks.map(({ state }) => state))
    const worst = FROM_WORST.find((state) => states.has(state)) ?? 'unknown'
    return draw(call, { ...group, state: worst })
  })
}

/** Over the last 24 hours; null without results. */
async function averageOf(db: Db, checks: readonly KnownCheck[], retentionDays: number): Promise<number | null> {
  const nowMs = Date.now()
  const question = {
    checks,
    windows: [{ fromMs: nowMs - DAY_MS, toMs: nowMs }],
    wants: (index: number) => index === 0,
    groupOf: () => '',
  }
  const spread = (await measure(db, question, { retentionDays, nowMs })).get('')?.spread(0)
  return spread === undefined || spread.count === 0 ? null : spread.sum / spread.count
}
