/**
 * Looks hourly at the certificates that runs do not see: those of the domains that browser checks name. An inspection is
 * a run of the kind SSL that is not kept, leased and reported like a dry run; what its report says of the certificate is
 * recorded (`recording/inspections.ts`), and nothing else of it. One that is lost on its way is due again in minutes.
 */
import type { Need } from '@vedette/core'
import type { SslConfig } from '@vedette/schema'
import { certificateHost } from '../checks/certificate-host.ts'
import type { SettingsOf, StoredCheck } from '../checks/check.ts'
import type { Db } from '../db/database.ts'
import type { Log } from '../log.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { livesForMs, startDryRun } from './dry-runs.ts'
import * as store from './inspection-store.ts'
import { fitIn, type LocationView } from './location-view.ts'

export const INSPECTED_EVERY_MS = 3_600_000
/** Nobody is told when a runner comes. */
const LOOK_FOR_RUNNERS_MS = 30_000
/** What runs are leased for must not wait for them: so many are begun at a time, and with each look. */
const AT_A_TIME = 20
const LOOKED_THROUGH = 500

/** In the transaction that writes the check: what it names from now on is inspected at once. */
export async function syncInspection(tx: Db, { no, kind, effective }: StoredCheck): Promise<void> {
  if (kind !== 'BROWSER') return
  const host = effective.activated ? certificateHost(effective.settings) : null
  if (host === null) await store.unwatch(tx, no)
  if (host === null || (await store.watchHost(tx, no, host))) await store.dropUnderWay(tx, [no])
}

export interface InspectionParts {
  db: Db
  secrets: Secrets
  locations: () => Promise<LocationView>
  log: Log
}

/** Begins those that are due. Any number of servers may do so at once. Answers how many. */
export async function startInspections({ db, secrets, locations, log }: InspectionParts, port = 443): Promise<number> {
  const view = await locations()
  return db.transaction().execute(async (tx) => {
    const due = (await store.lockDueInspections(tx, LOOKED_THROUGH)).map((one) => ({
      ...one,
      place: placeFor(one, view),
    }))
    if (due.length === 0) return 0
    const waiting = due.filter(({ place }) => place === undefined)
    if (waiting.length > 0) await store.putOff(tx, waiting.map(numberOf), LOOK_FOR_RUNNERS_MS)
    const starting = due.filter(({ place }) => place !== undefined).slice(0, AT_A_TIME)
    if (starting.length === 0) return 0
    const lost = new Set(await store.dropUnderWay(tx, starting.map(numberOf)))
    for (const { checkNo, checkId, checkName, accountId, host, place } of starting) {
      if (place === undefined) continue
      if (lost.has(checkNo)) log.warn('The inspection of a certificate was not reported', { check: checkId, host })
      const settings = inspectionOf({ hostname: host, port })
      const wish = { ...{ accountId, ...NEED, checkId, checkName, groupId: null, settings }, locationNo: place }
      await startDryRun(tx, secrets, wish, checkNo)
    }
    // Before it expires, so that it is found when it was lost.
    await store.noteStarted(tx, starting.map(numberOf), livesForMs('SSL') - 1000)
    return starting.length
  })
}

const NEED = { kind: 'SSL', runtimeId: null } as const satisfies Need

/** The first of the check's locations that can; after each time without a certificate, the next. */
function placeFor(due: store.DueInspection, view: LocationView): number | undefined {
  const able = view.numbersOf(due.accountId, due.locations, due.privateLocations).filter((no) => view.canRun(no, NEED))
  const fit = able.filter(fitIn(view, able, NEED))
  return fit[due.tries % fit.length]
}

/** Whatever is wrong with it, the certificate is what is asked for. */
function inspectionOf(server: Pick<SslConfig, 'hostname' | 'port'>): SettingsOf<'SSL'> {
  return {
    request: { sslConfig: { ...server, skipChainValidation: true, securityBaseline: { enabled: false } } },
    description: null,
    locations: [],
    privateLocations: [],
    runParallel: false,
    frequency: INSPECTED_EVERY_MS / 60_000,
    frequencyOffset: 0,
    retryStrategy: null,
    doubleCheck: false,
    shouldFail: false,
    useGlobalAlertSettings: true,
    alertSettings: null,
    runtimeId: null,
    triggerIncident: null,
    dependsOn: [],
  }
}

const numberOf = ({ checkNo }: store.DueInspection) => checkNo
