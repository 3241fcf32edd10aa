/** What runners call. */
import { blamingNobody } from '@vedette/core'
import { type LeasedRun, routes } from '@vedette/schema'
import { AppError, notFound } from '../../app-error.ts'
import type { AssetStore } from '../../assets/asset-store.ts'
import { bundleKey, findLeasedBundle } from '../../bundles/store.ts'
import type { Db } from '../../db/database.ts'
import { notify } from '../../db/signals.ts'
import { recordInspections } from '../../recording/inspections.ts'
import { type RecordingParts, recordReports } from '../../recording/record-reports.ts'
import { freeUnknownDryRuns } from '../../scheduling/dry-run-store.ts'
import { answerDryRuns, readDryLeaseName } from '../../scheduling/dry-runs.ts'
import { type LeaseParts, leaseRuns, pace, readLeaseName } from '../../scheduling/lease.ts'
import { type FreedRun, freeLeasesOf, freeUnknownLeases, giveBack } from '../../scheduling/lease-store.ts'
import {
  addRunner,
  forgetRunner,
  noteAbilities,
  noteClock,
  noteControls,
  noteIsolation,
  noteScriptLoad,
} from '../../scheduling/runner-store.ts'
import type { Serve } from '../serve.ts'
import { RunnersSeen } from './runners-seen.ts'

/** A lease whose answer is still on its way is not yet among those that the runner says it holds. */
const ANSWER_ON_ITS_WAY_MS = 15_000

const CUT_OFF = 'its controls do not answer'

export function serveRunner(serve: Serve, leasing: LeaseParts, recording: RecordingParts, bundles: AssetStore): void {
  const { db } = leasing
  const seen = new RunnersSeen(db)

  serve(routes.runnerSignIn, async ({ body, caller }) => {
    const view = await leasing.locations()
    const { kinds, runtimes, browser, recordsVideo } = body
    const runnerId = await addRunner(db, {
      keyId: caller.keyId,
      name: body.name,
      version: body.version,
      abilities: { kinds, runtimes, browser, recordsVideo },
      controls: body.controls ?? [],
      builtIn: caller.locationNo === null,
    })
    if (runnerId === undefined) throw new AppError('unauthorized', 'Bad Token')
    if (body.isolation !== undefined) await noteIsolation(db, runnerId, body.isolation)
    const numbers = caller.locationNo === null ? view.builtIn() : [caller.locationNo]
    return { runnerId, locations: numbers.flatMap((no) => view.get(no)?.slug ?? []) }
  })

  serve(routes.runnerHeartbeat, async ({ body, caller }) => {
    const { id } = await seen.note(body.runnerId, caller, body.trouble)
    await noteControls(db, id, body.isCutOff === true ? (body.trouble ?? CUT_OFF) : null)
    if (body.isolation !== undefined) await noteIsolation(db, id, body.isolation)
    if (body.scriptLoad !== undefined) await noteScriptLoad(db, id, body.scriptLoad)
    // Runs that wait for what it can do now need not wait until it asks again.
    if (body.abilities !== undefined && (await noteAbilities(db, id, body.abilities))) await notify(db, 'runs', '')
    if (body.clockMs !== undefined) await noteClock(db, id, body.clockMs - recording.clock.nowMs())
    if (body.holding !== undefined) {
      const holding = body.holding.flatMap((name) => readLeaseName(name)?.resultId ?? [])
      await freed(db, await freeUnknownLeases(db, id, holding, ANSWER_ON_ITS_WAY_MS))
      const dry = body.holding.flatMap((name) => readDryLeaseName(name) ?? [])
      const locations = await freeUnknownDryRuns(db, id, dry, ANSWER_ON_ITS_WAY_MS)
      if (locations.length > 0) await notify(db, 'runs', locations.join(','))
    }
    return null
  })

  serve(routes.runnerSignOut, async ({ body, caller }) => {
    const { id } = await seen.note(body.runnerId, caller, null)
    const free = await freeLeasesOf(db, id)
    await forgetRunner(db, id)
    seen.forget(id)
    await freed(db, free)
    return null
  })

  serve(routes.leaseRuns, async ({ body, caller, over }) => {
    const runner = await seen.identify(body.runnerId, caller)
    const signal = over()
    await pace(leasing, runner, seen.lastLeaseOf(runner.id), body.waitMs, signal)
    const runs = await leaseRuns(leasing, runner, body, signal)
    seen.leased(runner.id)
    // Nobody is there to take them: they need not wait until the runner says what it holds.
    if (signal.aborted) await freed(db, await giveBack(db, runner.id, runs.map(leaseIdOf)))
    return { runs }
  })

  serve(routes.fetchBundle, async ({ params: { sha256 }, query, caller, reply }) => {
    const runner = await seen.identify(query.runnerId, caller)
    const lease = leaseOf(query.leaseId)
    const bundle = lease === null ? undefined : await findLeasedBundle(db, runner.id, lease, sha256)
    if (bundle === undefined) throw notFound()
    const content = await bundles.read(bundleKey(bundle.accountId, sha256), null)
    if (content === null) throw new Error(`The bytes of the bundle ${sha256} are gone.`)
    reply.type('application/gzip').header('content-length', bundle.size)
    return content
  })

  serve(routes.reportRuns, async ({ body, caller }) => {
    const runner = await seen.identify(body.runnerId, caller)
    const quarantine = (await leasing.locations()).quarantineOfRunner(runner.id)
    const reports = quarantine === null ? body.reports : body.reports.map((report) => blamingNobody(report, quarantine))
    const dry = await answerDryRuns(recording, runner.id, reports)
    const rest = reports.filter(({ leaseId }) => !dry.includes(leaseId))
    const inspected = await recordInspections(recording, runner.id, rest)
    const apart = [...dry, ...inspected]
    if (apart.length === reports.length) return { accepted: apart.length, dropped: [] }
    const { accepted, dropped } = await recordReports(recording, runner.id, reports)
    return { accepted: accepted + apart.length, dropped: dropped.filter((name) => !apart.includes(name)) }
  })
}

/** What a lease is of, by its name. */
function leaseOf(name: string): { resultId: string } | { dryRun: string } | null {
  const dryRun = readDryLeaseName(name)
  return dryRun === null ? readLeaseName(name) : { dryRun }
}

function leaseIdOf({ leaseId }: LeasedRun): string {
  return readLeaseName(leaseId)?.resultId ?? ''
}

async function freed(db: Db, runs: readonly FreedRun[]): Promise<void> {
  if (runs.length > 0) await notify(db, 'runs', [...new Set(runs.map((run) => run.locationNo))].join(','))
}
