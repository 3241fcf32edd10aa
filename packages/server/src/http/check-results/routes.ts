/** Results of checks. */
import { slotInterval } from '@vedette/core'
import { routes } from '@vedette/schema'
import { AppError, notFound } from '../../app-error.ts'
import type { AssetLinks } from '../../assets/asset-links.ts'
import { linkedAssets } from '../../assets/linked-assets.ts'
import type { StoredCheck } from '../../checks/check.ts'
import { findCheck } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import type { ResultStore, StoredResult } from '../../results/result-store.ts'
import type { LocationView } from '../../scheduling/location-view.ts'
import { readInstant, readWindow } from '../instants.ts'
import { pageOf, tellPage } from '../page.ts'
import type { Serve } from '../serve.ts'
import { compareResults } from './compare.ts'
import { presentResult } from './present.ts'

const SIX_HOURS_MS = 6 * 3_600_000

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export interface CheckResultParts {
  db: Db
  results: ResultStore
  locations: () => Promise<LocationView>
  fileLinks: AssetLinks
}

export function serveCheckResults(serve: Serve, { db, results, locations, fileLinks }: CheckResultParts): void {
  const present = async (check: StoredCheck, found: readonly StoredResult[], view: LocationView) => {
    const regionOf = (no: number) => view.get(no)?.slug ?? ''
    const files = await linkedAssets(db, { links: fileLinks, regionOf }, check, found)
    return found.map((result) => presentResult(check, result, regionOf(result.locationNo), files.get(result.id)))
  }

  serve(routes.listCheckResults, async ({ params, query, caller }) => {
    const check = await findCheck(db, caller.accountId, params.checkId)
    if (check === undefined) throw notFound()
    const limit = query.limit ?? 10
    const view = await locations()
    const fromMs = readInstant('from', query.from)
    const toMs = readInstant('to', query.to)
    if (fromMs !== null && toMs !== null && fromMs >= toMs) throw invalidQuery('from', 'must be before "to"')
    const locationNo = query.location === undefined ? null : locationNumber(view, check.accountId, query.location)
    if (query.checkType !== undefined && query.checkType !== check.kind) return { length: 0, entries: [], nextId: null }
    const found = await results.page(db, check.no, {
      fromMs,
      toMs,
      locationNo,
      hasFailures: query.hasFailures ?? null,
      resultType: query.resultType ?? 'FINAL',
      before: readCursor(query.nextId),
      limit: limit + 1,
      gapMs: usualGapMs(check),
    })
    const entries = await present(check, found.slice(0, limit), view)
    const last = entries.at(-1)
    return { length: entries.length, entries, nextId: found.length > limit && last ? last.id : null }
  })

  serve(routes.listCheckResultsByPage, async ({ params, query, caller, request, reply }) => {
    const check = await findCheck(db, caller.accountId, params.checkId)
    if (check === undefined) throw notFound()
    const view = await locations()
    const window = readWindow(query, { defaultMs: SIX_HOURS_MS, maxMs: SIX_HOURS_MS }, Date.now())
    const locationNo = query.location === undefined ? null : locationNumber(view, check.accountId, query.location)
    const page = pageOf(query)
    const isOther = query.checkType !== undefined && query.checkType !== check.kind
    const { results: found, total } = isOther
      ? { results: [], total: 0 }
      : await results.numberedPage(db, check.no, {
          ...window,
          ...page,
          locationNo,
          hasFailures: query.hasFailures ?? null,
          resultType: query.resultType ?? 'FINAL',
        })
    tellPage(request, reply, page, found.length, total)
    return present(check, found, view)
  })

  serve(routes.getCheckResult, async ({ params, caller }) => {
    const check = await findCheck(db, caller.accountId, params.checkId)
    const result = check && (await results.find(db, check.no, params.checkResultId))
    if (check === undefined || result === undefined) throw notFound()
    const [presented] = await present(check, [result], await locations())
    if (presented === undefined) throw notFound()
    return presented
  })

  serve(routes.compareCheckResult, async ({ params, query, caller }) => {
    const check = await findCheck(db, caller.accountId, params.checkId)
    const result = check && (await results.find(db, check.no, params.checkResultId))
    if (check === undefined || result === undefined) throw notFound()
    const other =
      query.with === undefined ? await results.lastPassed(db, result) : await results.find(db, check.no, query.with)
    if (other === undefined) throw notFound()
    const view = await locations()
    const regionOf = (no: number) => view.get(no)?.slug ?? ''
    const files = await linkedAssets(db, { links: fileLinks, regionOf }, check, [result, other])
    const compared = compareResults(result, other, { files, regionOf })
    if (compared === undefined) throw notFound()
    return compared
  })
}

const DAY_MS = 86_400_000

/** What pings rather than runs may do so at any time. */
function usualGapMs({ kind, effective: { settings } }: StoredCheck): number {
  if (kind === 'HEARTBEAT') return DAY_MS
  const places = settings.runParallel ? settings.locations.length + settings.privateLocations.length : 1
  return slotInterval(settings) / Math.max(1, places)
}

function readCursor(nextId: string | undefined): string | null {
  if (nextId === undefined || nextId === '') return null
  if (!UUID.test(nextId)) throw invalidQuery('nextId', 'is no cursor of this list')
  return nextId
}

function locationNumber(view: LocationView, accountId: string, slug: string): number {
  const [no] = [...view.numbersOf(accountId, [slug], []), ...view.numbersOf(accountId, [], [slug])]
  if (no === undefined) throw invalidQuery('location', `names "${slug}", which is no location`)
  return no
}

function invalidQuery(name: string, reason: string): AppError {
  return new AppError('invalid', `"${name}" ${reason}`, { source: 'query', keys: [name] })
}
