/** Checks for tests, and what is planned for them. */
import { type ApiCheck, type ApiCheckCreate, type ApiCheckResult, type CheckResult, routes } from '@vedette/schema'
import { sql } from 'kysely'
import type { TestServer } from './test-server.ts'

/** Every ten minutes in one place, without retries. */
export function makeCheck(server: TestServer, settings: Partial<ApiCheckCreate> = {}): Promise<ApiCheck> {
  const body: ApiCheckCreate = {
    name: 'Shop',
    request: { method: 'GET', url: 'http://shop.test/' },
    locations: ['us-east-1'],
    frequency: 10,
    retryStrategy: null,
    ...settings,
  }
  return server.call(routes.createApiCheck, { body })
}

/** Its next runs fall due now, or a while ago. */
export async function makeDue(server: TestServer, check: Pick<ApiCheck, 'id'>, msAgo = 0): Promise<void> {
  await sql`
    update schedule set due_at = date_trunc('milliseconds', now()) - ${msAgo} * interval '1 millisecond'
    where check_no = (select no from checks where id = ${check.id})`.execute(server.db)
}

export interface Planned {
  location: string
  parallel: boolean
  dueAtMs: number
  attempt: number
  leased: boolean
  losses: number
}

/** What will run next, in the order of its making; runs on demand are left out. */
export async function plannedFor(server: TestServer, check: Pick<ApiCheck, 'id'>): Promise<Planned[]> {
  const rows = await server.db
    .selectFrom('schedule as s')
    .innerJoin('checks as c', 'c.no', 's.check_no')
    .innerJoin('locations as l', 'l.no', 's.location_no')
    .select(['l.slug', 's.parallel', 's.due_at', 's.attempt', 's.lease_id', 's.losses'])
    .where('c.id', '=', check.id)
    .where('s.session_id', 'is', null)
    .orderBy('s.id')
    .execute()
  return rows.map((row) => ({
    location: row.slug,
    parallel: row.parallel,
    dueAtMs: row.due_at.getTime(),
    attempt: row.attempt,
    leased: row.lease_id !== null,
    losses: row.losses,
  }))
}

/** Newest first, attempts too. */
export async function resultsOf(server: TestServer, check: Pick<ApiCheck, 'id'>): Promise<CheckResult[]> {
  const query = { limit: 100, resultType: 'ALL' as const }
  return (await server.call(routes.listCheckResults, { params: { checkId: check.id }, query })).entries
}

/** The alerts of a check, oldest first. */
export async function alertsOf(server: TestServer, check: Pick<ApiCheck, 'id'>): Promise<string[]> {
  const rows = await server.db
    .selectFrom('check_alerts as a')
    .innerJoin('checks as c', 'c.no', 'a.check_no')
    .select('a.alert_type')
    .where('c.id', '=', check.id)
    .orderBy('a.id')
    .execute()
  return rows.map((row) => row.alert_type)
}

/** What the API tells of an HTTP exchange; null for what is no result of one. */
export function httpResultOf(result: CheckResult | undefined): ApiCheckResult | null {
  const told = result?.apiCheckResult ?? null
  return told !== null && isHttp(told) ? told : null
}

const isHttp = (told: NonNullable<CheckResult['apiCheckResult']>): told is ApiCheckResult => 'url' in told.request
