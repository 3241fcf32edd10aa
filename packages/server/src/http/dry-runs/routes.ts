/** Runs a definition once without keeping it, and explains what came of it. */
import { isCredential } from '@vedette/core'
import {
  type AssertionOutcome,
  type CheckKind,
  type DryRun,
  type EffectiveSettings,
  MEASURES,
  RUNNABLE_KINDS,
  type RunnableKind,
  type RunReport,
  routes,
} from '@vedette/schema'
import { AppError } from '../../app-error.ts'
import type { OpenCheck, SettingsOf } from '../../checks/check.ts'
import { timesOf } from '../../results/measures.ts'
import { awaitDryRun, type DryRunParts, startDryRun } from '../../scheduling/dry-runs.ts'
import type { LocationView } from '../../scheduling/location-view.ts'
import { presentResult } from '../check-results/present.ts'
import { effectiveOf } from '../checks/effective.ts'
import { MASK } from '../checks/present.ts'
import { draftCheck } from '../checks/write-check.ts'
import type { Call, Serve } from '../serve.ts'
import { explainAlert, explainDecision, explainRetry } from './explain.ts'

export interface ServeDryRunParts extends DryRunParts {
  locations: () => Promise<LocationView>
}

export function serveDryRuns(serve: Serve, parts: ServeDryRunParts): void {
  const { db, secrets } = parts

  type Trying = Pick<Call<typeof routes.dryRunApiCheck>, 'query' | 'caller' | 'record' | 'over'>
  const tryOut = async (kind: CheckKind, body: object, { query, caller, record, over }: Trying): Promise<DryRun> => {
    const check = await draftCheck(db, secrets, caller.accountId, kind, body, query.checkId)
    const runnable = runnableOf(check)
    const view = await parts.locations()
    const place = placeFor(check, query.runLocation, view)
    // Our own runner is only on its way: it is started with us, and again when it ends.
    const isServed = view.servedBy(place.no) !== 'nobody' || view.builtIn().includes(place.no)
    if (!isServed)
      throw new AppError('no-runner', `No runner serves ${place.slug}: start one there, or choose another location.`)
    const { accountId, id: checkId, name: checkName, groupId } = check
    const need = view.needOf({ ...runnable, accountId })
    const reason = view.whyNever([place.no], need)
    if (reason !== null) throw new AppError('no-runner', reason)
    const { runtimeId } = need
    const wish = { ...runnable, accountId, checkId, checkName, groupId, locationNo: place.no, runtimeId }
    const id = await db.transaction().execute(async (tx) => {
      // Who asked, and where it runs. What was tried is not kept.
      await record(tx, { subject: query.checkId ?? place.slug })
      return startDryRun(tx, secrets, wish)
    })
    const report = await awaitDryRun(parts, id, runnable.kind, place.slug, over())
    return explain(parts, id, check, runnable.kind, place, report)
  }
  serve(routes.dryRunApiCheck, (call) => tryOut('API', call.body, call))
  serve(routes.dryRunUrlCheck, (call) => tryOut('URL', call.body, call))
  serve(routes.dryRunGrpcCheck, (call) => tryOut('GRPC', call.body, call))
  serve(routes.dryRunIcmpCheck, (call) => tryOut('ICMP', call.body, call))
  serve(routes.dryRunSslCheck, (call) => tryOut('SSL', call.body, call))
  serve(routes.dryRunTcpCheck, (call) => tryOut('TCP', call.body, call))
  serve(routes.dryRunDnsCheck, (call) => tryOut('DNS', call.body, call))
  serve(routes.dryRunBrowserCheck, (call) => tryOut('BROWSER', call.body, call))
  serve(routes.dryRunMultiStepCheck, (call) => tryOut('MULTI_STEP', call.body, call))
  serve(routes.dryRunPlaywrightCheck, (call) => tryOut('PLAYWRIGHT', call.body, call))
  serve(routes.dryRunHeartbeatCheck, (call) => tryOut('HEARTBEAT', call.body, call))
}

/** @throws AppError `conflict` for a kind that no runner runs. */
function runnableOf({ kind, effective }: OpenCheck): { kind: RunnableKind; settings: SettingsOf<RunnableKind> } {
  const runnable = RUNNABLE_KINDS.find((one) => one === kind)
  if (runnable === undefined) {
    throw new AppError(
      'conflict',
      kind === 'HEARTBEAT'
        ? 'A heartbeat is not run: it waits for pings.'
        : `No runner can run a check of the kind ${kind} yet.`,
    )
  }
  // The kind was just found to be one of these.
  return { kind: runnable, settings: effective.settings as SettingsOf<RunnableKind> }
}

interface Place {
  no: number
  slug: string
}

/** The one that was asked for, else the first that somebody serves. @throws AppError `invalid` when there is none. */
function placeFor({ kind, accountId, effective }: OpenCheck, wanted: string | undefined, view: LocationView): Place {
  const { locations, privateLocations } = effective.settings
  const numbers =
    wanted === undefined
      ? view.numbersOf(accountId, locations, privateLocations)
      : [...view.numbersOf(accountId, [wanted], []), ...view.numbersOf(accountId, [], [wanted])]
  const need = view.needOf({ kind, accountId, settings: effective.settings })
  const no =
    numbers.find((one) => view.canRun(one, need)) ??
    numbers.find((one) => view.servedBy(one) !== 'nobody') ??
    numbers[0]
  if (no !== undefined) return { no, slug: view.get(no)?.slug ?? String(no) }
  if (wanted === undefined) {
    const reason = 'There is no location to run in: name one in "runLocation", or in the "locations" of the check'
    throw new AppError('invalid', reason, { source: 'payload', keys: ['locations'] })
  }
  const reason = `"runLocation" names "${wanted}", which does not exist`
  throw new AppError('invalid', reason, { source: 'query', keys: ['runLocation'] })
}

async function explain(
  { db, secrets }: ServeDryRunParts,
  id: string,
  check: OpenCheck,
  kind: RunnableKind,
  place: Place,
  report: RunReport,
): Promise<DryRun> {
  // As readers without write access see them: what is shown of a run is for everybody's eyes.
  const settings = await effectiveOf(db, secrets, check, false)
  const startedAt = new Date(report.startedAtMs)
  return {
    checkType: kind,
    runLocation: place.slug,
    verdict: report.verdict,
    decision: explainDecision(report, assertionsIn(report), check),
    startedAt: startedAt.toISOString(),
    duration: report.durationMs,
    phases: phasesOf(kind, report),
    retry: explainRetry(report, check, settings),
    alert: explainAlert(report, check, settings),
    settings: withoutCredentials(settings),
    result: presentResult(check, resultOf(id, check, place.no, report), place.slug),
  }
}

/** Results hide them by their names, locked or not. */
function withoutCredentials(settings: EffectiveSettings): EffectiveSettings {
  const { request } = settings
  if (request === undefined) return settings
  const headers: unknown = Reflect.get(Object(request.value), 'headers')
  if (!Array.isArray(headers)) return settings
  const shown = headers.map((header: unknown) => {
    const item = Object(header)
    return isCredential(String(Reflect.get(item, 'key'))) ? { ...item, value: MASK } : header
  })
  return { ...settings, request: { ...request, value: { ...Object(request.value), headers: shown } } }
}

/** As it would have been kept: with all that came back. */
function resultOf(id: string, check: OpenCheck, locationNo: number, report: RunReport) {
  return {
    id,
    checkNo: check.no,
    locationNo,
    startedAtMs: report.startedAtMs,
    checkRunId: Math.round(report.startedAtMs),
    detailId: id,
    detail: { error: report.error, answer: report.detail },
    recordedAfterMs: report.durationMs,
    durationMs: report.durationMs,
    responseTimeMs: report.responseTimeMs,
    phases: report.phases,
    statusCode: report.statusCode,
    attempt: 1,
    flags: {
      verdict: report.verdict,
      overMaxResponseTime: report.overMaxResponseTime,
      final: true,
      networkError: report.networkError,
      parallel: false,
    },
  }
}

function phasesOf(kind: RunnableKind, { phases, responseTimeMs }: RunReport): DryRun['phases'] {
  const [wait = null, dns = null, tcp = null, firstByte = null, download = null] = phases ?? []
  const times = timesOf(kind, {
    response_time_ms: responseTimeMs,
    wait_ms: wait,
    dns_ms: dns,
    tcp_ms: tcp,
    first_byte_ms: firstByte,
    download_ms: download,
  })
  return Object.entries(MEASURES[kind]).flatMap(([name, { unit }], index) => {
    const duration = times[index] ?? null
    return duration === null || unit !== 'milliseconds' ? [] : [{ name, duration }]
  })
}

/** Kinds that assert something keep the outcomes under this name. */
function assertionsIn({ detail }: RunReport): readonly AssertionOutcome[] {
  return detail !== null && 'assertions' in detail.content ? detail.content.assertions : []
}
