/**
 * Runners take secrets out of what they report. Values that the account hides are taken out here once more: a runner may
 * have been made by others, and a target may tell a secret that its run was never given. Reports without texts, which is
 * most of them, cost nothing; all others of a batch together cost one look for what is hidden.
 */
import { type Scrub, scrubber, scrubTexts } from '@vedette/core'
import { RunDetail, type RunReport } from '@vedette/schema'
import { Value } from 'typebox/value'
import { openGroupSettings } from '../checks/settings-secrets.ts'
import type { Db } from '../db/database.ts'
import type { Log } from '../log.ts'
import { type SealedOf, sealedVariablesOf } from '../scheduling/extras-store.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { placeOfVariable } from '../secrets/variable-place.ts'

export interface ScrubParts {
  secrets: Secrets
  log: Log
}

export async function scrubReports<T extends { accountId: string; report: RunReport }>(
  tx: Db,
  parts: ScrubParts,
  told: readonly T[],
): Promise<T[]> {
  const accounts = new Set(told.filter(({ report }) => hasTexts(report)).map(({ accountId }) => accountId))
  if (accounts.size === 0) return [...told]
  const scrubs = await scrubsOf(tx, parts, [...accounts])
  return told.map((one) => {
    const scrub = scrubs.get(one.accountId)
    return scrub === undefined || !hasTexts(one.report) ? one : { ...one, report: scrubbed(one.report, scrub) }
  })
}

const hasTexts = ({ error, detail }: RunReport) => error !== null || detail !== null

/** Of the accounts that hide something. */
async function scrubsOf(
  tx: Db,
  { secrets, log }: ScrubParts,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, Scrub>> {
  const values = new Map<string, string[]>()
  for (const sealed of await sealedVariablesOf(tx, accountIds)) {
    const { accountId } = sealed
    try {
      values.set(accountId, [...(values.get(accountId) ?? []), ...hiddenValues(secrets, sealed)])
    } catch (error) {
      // What cannot be opened was given to no run of now.
      log.error('A hidden value cannot be opened to be taken out of reports', { error, account: accountId })
    }
  }
  return new Map([...values].map(([accountId, some]) => [accountId, scrubber(some)]))
}

function hiddenValues(secrets: Secrets, sealed: SealedOf): string[] {
  if (sealed.of === 'variable') return [secrets.open(placeOfVariable(sealed.accountId, sealed.id), sealed.sealed)]
  const { environmentVariables } = openGroupSettings(secrets, sealed)
  return environmentVariables.filter(({ locked, secret }) => locked || secret).map(({ value }) => value ?? '')
}

function scrubbed(report: RunReport, scrub: Scrub): RunReport {
  const error = report.error === null ? null : scrub(report.error)
  const detail = scrubTexts(report.detail, scrub)
  if (error === report.error && detail === report.detail) return report
  // A secret that is one of our own words makes nonsense of what it stands in: that is not kept.
  return { ...report, error, detail: Value.Check(RunDetail, detail) ? detail : null }
}
