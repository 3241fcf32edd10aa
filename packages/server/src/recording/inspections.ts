/**
 * What inspections of certificates report. A report is taken once: it must hold the lease, and recording it ends the
 * inspection. Only the certificate is taken of it: that none was seen says nothing about the check.
 */
import type { RunReport } from '@vedette/schema'
import { readDryLeaseName } from '../scheduling/dry-runs.ts'
import * as inspections from '../scheduling/inspection-store.ts'
import { INSPECTED_EVERY_MS } from '../scheduling/inspections.ts'
import { toAlert } from './judge-checks.ts'
import type { RecordingParts } from './record-reports.ts'
import { scrubReports } from './scrub-reports.ts'
import { lockChecks } from './store.ts'
import { certificateAlerts, type SeenOfCheck } from './watch-certificates.ts'

/** Answers the names of the leases that the runner held. */
export async function recordInspections(
  parts: RecordingParts,
  runnerId: number,
  reports: readonly RunReport[],
): Promise<string[]> {
  const byLease = new Map(
    reports.flatMap((report) => {
      const leaseId = readDryLeaseName(report.leaseId)
      return leaseId === null ? [] : [[leaseId, report]]
    }),
  )
  if (byLease.size === 0) return []
  const leaseIds = [...byLease.keys()]
  const view = await parts.locations()
  return parts.db.transaction().execute(async (tx) => {
    const checkNos = await inspections.checksInspectedBy(tx, runnerId, leaseIds)
    if (checkNos.length === 0) return []
    const checks = new Map((await lockChecks(tx, checkNos)).map((check) => [check.no, check]))
    const ended = await inspections.endInspections(tx, runnerId, checkNos, leaseIds, INSPECTED_EVERY_MS)
    const taken: string[] = []
    const seen: SeenOfCheck[] = []
    for (const { id, leaseId, checkNo, host, locationNo } of ended) {
      const [report, check] = [byLease.get(leaseId), checks.get(checkNo)]
      if (report === undefined || check === undefined) continue
      taken.push(report.leaseId)
      const { certificate, startedAtMs, durationMs, responseTimeMs, verdict } = report
      if (certificate == null) {
        const { accountId } = check
        const [told] = await scrubReports(tx, parts, [{ accountId, report: { ...report, detail: null } }])
        const where = { check: check.id, host, location: view.get(locationNo)?.slug }
        parts.log.warn('A certificate could not be inspected', { ...where, reason: told?.report.error })
        continue
      }
      const run = { id, locationNo, verdict, startedAtMs, durationMs, responseTimeMs, checkRunId: 0, statusCode: null }
      const { fingerprint256: fingerprint, expiresAtMs } = certificate
      const alert = toAlert(check, { ...run, error: null }, view, 'ALERT_SSL', null, fingerprint)
      seen.push({ checkNo, host, fingerprint, expiresAtMs, alert })
    }
    if (seen.length === 0) return taken
    await inspections.noteSeen(
      tx,
      seen.map(({ checkNo }) => checkNo),
    )
    const alerts = await certificateAlerts(tx, seen, parts.clock.nowMs())
    if (alerts.length > 0) await parts.enqueueAlerts(tx, alerts)
    return taken
  })
}
