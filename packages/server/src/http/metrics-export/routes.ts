/** Metrics for collectors, and the tokens with which they come. */
import { metricsText, periodMs } from '@vedette/core'
import { type QueryOf, routes } from '@vedette/schema'
import type { FastifyRequest } from 'fastify'
import { AppError, notFound } from '../../app-error.ts'
import { bearerOf } from '../../auth/identify.ts'
import { newKey } from '../../auth/keys.ts'
import type { Db } from '../../db/database.ts'
import { type Group, measure } from '../../results/measure.ts'
import type { Tally } from '../../results/tally.ts'
import { LOST_AFTER_MS, type LocationView } from '../../scheduling/location-view.ts'
import type { Serve } from '../serve.ts'
import {
  browserErrorFamily,
  type ExportedTally,
  expiryFamily,
  heartbeatFamilies,
  isolationFamilies,
  locationFamilies,
  packetLossFamily,
  resultFamily,
  scriptLoadFamilies,
  statusFamily,
  timingFamilies,
} from './families.ts'
import * as store from './store.ts'

const HOUR_MS = 3_600_000
const FRESH_MS = 60_000
/** So many checks in one statement: the answers of one hold up nobody else. */
const CHECKS_AT_ONCE = 100

type Wishes = QueryOf<typeof routes.exportMetrics>

export function serveMetricsExport(
  serve: Serve,
  db: Db,
  locations: () => Promise<LocationView>,
  retentionDays: number,
): void {
  const kept = new Map<string, { text: Promise<string>; untilMs: number }>()

  serve(routes.exportMetrics, async ({ params, query, proven, request, reply }) => {
    const accountId = params.accountId.toLowerCase()
    await assertToken(db, accountId, request)
    proven()
    reply.type('text/plain; version=0.0.4; charset=utf-8')
    const key = [accountId, query.disableTagParsing, query.locationLabelEnabled, query.includeRetryAttempts].join(' ')
    const nowMs = Date.now()
    for (const [other, { untilMs }] of kept) if (untilMs <= nowMs) kept.delete(other)
    let answer = kept.get(key)
    if (answer === undefined) {
      answer = {
        text: write(db, await locations(), accountId, query, { retentionDays, nowMs }),
        untilMs: nowMs + FRESH_MS,
      }
      kept.set(key, answer)
      answer.text.catch(() => kept.delete(key))
    }
    return answer.text
  })

  serve(routes.listMetricsTokens, ({ caller }) => store.listTokens(db, caller.accountId))

  serve(routes.createMetricsToken, ({ body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const token = await store.insertToken(tx, caller.accountId, body.name, newKey('metrics'))
      await record(tx, { after: { id: token.id, name: token.name }, subject: token.id })
      return token
    }),
  )

  serve(routes.deleteMetricsToken, ({ params, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const token = await store.deleteToken(tx, caller.accountId, params.id)
      if (token === undefined) throw notFound()
      await record(tx, { before: { id: token.id, name: token.name } })
      return null
    }),
  )
}

/** @throws AppError `unauthorized`. */
async function assertToken(db: Db, accountId: string, request: FastifyRequest): Promise<void> {
  const token = bearerOf(request.headers.authorization)
  if (token === undefined || !(await store.isTokenOf(db, accountId, token)))
    throw new AppError('unauthorized', 'Bad Token')
}

async function write(
  db: Db,
  view: LocationView,
  accountId: string,
  { disableTagParsing, locationLabelEnabled, includeRetryAttempts }: Wishes,
  keeping: { retentionDays: number; nowMs: number },
): Promise<string> {
  const checks = await store.exportedChecks(db, accountId)
  const window = { fromMs: Math.floor(keeping.nowMs / HOUR_MS) * HOUR_MS, toMs: keeping.nowMs }
  const tallies: ExportedTally[] = []
  for (let from = 0; from < checks.length; from += CHECKS_AT_ONCE) {
    const some = checks.slice(from, from + CHECKS_AT_ONCE)
    const groups = new Map<string, Group>()
    const groupOf = (group: Group) => {
      const key = locationLabelEnabled === true ? `${group.checkNo}/${group.locationNo}` : `${group.checkNo}`
      groups.set(key, group)
      return key
    }
    const found: ReadonlyMap<string, Tally> = await measure(
      db,
      {
        checks: some,
        windows: [window],
        wants: () => true,
        groupOf,
        pages: 'first',
        withAttempts: includeRetryAttempts === true,
      },
      keeping,
    )
    const byNo = new Map(some.map((check) => [check.no, check]))
    for (const [key, tally] of found) {
      const group = groups.get(key)
      const check = group && byNo.get(group.checkNo)
      if (group === undefined || check === undefined) continue
      const slug = view.get(group.locationNo)?.slug
      const location = locationLabelEnabled === true && slug !== undefined ? slug : null
      tallies.push({ check, location, tally })
    }
  }
  const parseTags = disableTagParsing !== true
  return metricsText([
    statusFamily(checks, parseTags),
    resultFamily(tallies, parseTags),
    ...timingFamilies(tallies, parseTags),
    browserErrorFamily(tallies, parseTags),
    packetLossFamily(tallies, parseTags),
    expiryFamily(await expiriesOf(db, accountId, checks), parseTags, keeping.nowMs),
    ...heartbeatFamilies(await heartbeatsOf(db, accountId, checks), parseTags),
    ...locationFamilies(await store.exportedLocations(db, accountId, LOST_AFTER_MS)),
    ...isolationFamilies(isolationsOf(view, accountId)),
    ...scriptLoadFamilies(await store.exportedRunners(db, accountId, LOST_AFTER_MS)),
  ])
}

/** Of the data centers and of the account's own locations. */
function isolationsOf(view: LocationView, accountId: string) {
  return view.all().flatMap(({ no, slug, accountId: owner }) => {
    const isolation = view.isolationOf(no)
    return isolation === null || (owner !== null && owner !== accountId) ? [] : [{ slug, isolation }]
  })
}

async function expiriesOf(db: Db, accountId: string, checks: readonly store.ExportedCheck[]) {
  const byNo = new Map(checks.map((check) => [check.no, check]))
  return (await store.exportedCertificates(db, accountId)).flatMap(({ checkNo, host, expiresAtMs }) => {
    const check = byNo.get(checkNo)
    return check === undefined ? [] : [{ check, domain: host, expiresAtMs }]
  })
}

async function heartbeatsOf(db: Db, accountId: string, checks: readonly store.ExportedCheck[]) {
  const byNo = new Map(checks.map((check) => [check.no, check]))
  return (await store.exportedHeartbeats(db, accountId)).flatMap(({ check_no, rhythm, last_ping_at }) => {
    const check = byNo.get(check_no)
    if (check === undefined) return []
    return [{ check, lastPingMs: last_ping_at?.getTime() ?? 0, everyMs: periodMs(rhythm) }]
  })
}
