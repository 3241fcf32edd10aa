/** Judges what is stored and what was told after the faults: nothing lost, nothing twice, nobody blamed, all alive. */
import assert from 'node:assert/strict'
import { type ApiCheck, type CheckResult, routes } from '@vedette/schema'
import { FIRST_RUN_DELAY_MS } from '../../packages/server/src/scheduling/lanes.ts'
import { until } from '../start-vedette.ts'
import { allNotifications, allResults, type Load, newestFinal } from './load.ts'
import type { Told } from './surroundings.ts'

const SLOT_MS = 10_000

export interface Findings {
  results: number
  /** Acknowledged and not stored. */
  lost: string[]
  /** Final results of the same run. */
  doubled: string[]
  /** Slots that were neither run nor counted as missed, or both. */
  silent: string[]
  /** Failures of a target that was well. */
  falseDown: string[]
  errors: number
  missed: number
  told: number
  repeats: number
}

/** Every check has a result that began after an instant. */
export async function untilAllGoOn({ api, steady, shaky }: Load, sinceMs: number, withinMs: number): Promise<void> {
  let stuck: ApiCheck[] = [...steady, ...shaky]
  await until(
    'every check goes on',
    async () => {
      const newest = await Promise.all(
        stuck.map(async (check) => ({ check, result: await newestFinal(api, check.id) })),
      )
      stuck = newest.flatMap(({ check, result }) =>
        result !== undefined && Date.parse(result.startedAt) > sinceMs ? [] : [check],
      )
      return stuck.length === 0
    },
    withinMs,
    200,
  ).catch(() => assert.fail(`stuck: ${stuck.map(({ name }) => name).join(', ')}`))
}

/** Call it when the pressure has ended. */
export async function judge(load: Load): Promise<Findings> {
  const { api, steady, shaky, elsewhere } = load
  const findings: Findings = {
    results: 0,
    lost: [],
    doubled: [],
    silent: [],
    falseDown: [],
    errors: 0,
    missed: 0,
    told: 0,
    repeats: 0,
  }
  const stored = new Set<string>()
  for (const check of [...steady, ...shaky]) {
    const results = await allResults(api, check.id)
    const { missed } = await api.call(routes.checkTimeline, { params: { id: check.id }, query: { hours: 1 } })
    for (const { id } of results) stored.add(id)
    findings.results += results.length
    findings.missed += missed.reduce((sum, { count }) => sum + count, 0)
    findings.errors += results.filter(({ hasErrors }) => hasErrors).length
    const finals = results.filter(({ resultType }) => resultType === 'FINAL')
    for (const [run, times] of countBy(finals, ({ checkRunId }) => checkRunId))
      if (times > 1) findings.doubled.push(`${check.name}: run ${run} ${times} times`)
    findings.silent.push(...silentSlots(check, finals, missed))
    if (!shaky.includes(check)) {
      const failed = results.filter(({ hasFailures }) => hasFailures)
      findings.falseDown.push(...failed.map(({ errorMessage }) => `${check.name}: ${errorMessage}`))
    }
  }
  findings.lost.push(...[...elsewhere.acknowledged].filter((id) => !stored.has(id)))
  return findings
}

/** Between the first and the last run of the schedule, what ran and what was missed are the slots, each once. */
function silentSlots(
  check: ApiCheck,
  finals: readonly CheckResult[],
  missed: readonly { at: string; count: number }[],
): string[] {
  const phase = (Date.parse(check.created_at) + FIRST_RUN_DELAY_MS) % SLOT_MS
  const ran = finals.map(({ checkRunId }) => checkRunId).filter((at) => at % SLOT_MS === phase)
  const skipped = missed.flatMap(({ at, count }) =>
    Array.from({ length: count }, (_, place) => Date.parse(at) + place * SLOT_MS),
  )
  const accounted = new Set([...ran, ...skipped])
  const first = Math.min(...accounted)
  const last = Math.max(...accounted)
  const problems: string[] = []
  for (let slot = first; slot <= last; slot += SLOT_MS)
    if (!accounted.has(slot)) problems.push(`${check.name}: nothing at ${new Date(slot).toISOString()}`)
  if (ran.length + skipped.length > accounted.size) problems.push(`${check.name}: a slot was run and missed`)
  return problems
}

/** Everything decided was told, once for each alert and under the id it was stored with; no alert is missing from the sequence. */
export async function judgeNotifications(load: Load): Promise<{ told: number; repeats: number }> {
  const { api, receiver } = load
  await until(
    'every notification has been delivered',
    async () => (await allNotifications(api)).every(({ status }) => status === 'SUCCESS'),
    45_000,
    250,
  )
  const stored = await allNotifications(api)
  const ids = new Set(stored.map(({ id }) => id))
  const decisions = new Set(stored.map(({ checkAlertId, alertChannelId }) => `${checkAlertId} ${alertChannelId}`))
  assert.deepEqual([ids.size, decisions.size], [stored.length, stored.length], 'the same was recorded as sent twice')
  const toldIds = new Set(receiver.told.map(({ deliveryId }) => deliveryId))
  assert.deepEqual(
    [...toldIds].filter((id) => !ids.has(id)),
    [],
    'told under an id that is not stored',
  )
  assert.deepEqual(
    [...ids].filter((id) => !toldIds.has(id)),
    [],
    'never told',
  )
  // A run of the schedule and one on demand go on beside each other and end in another order than they were due. They are
  // judged in the order of their ends, and what ended before the last judged run is not judged any more: told in the order
  // of the decisions and in that of the ends, the course is the same.
  const decided = new Map(stored.map(({ id, checkAlertId }) => [id, Number(checkAlertId)]))
  for (const check of load.shaky) {
    const ends = new Map((await allResults(api, check.id)).map(({ id, stoppedAt }) => [id, Date.parse(stoppedAt)]))
    const endOf = ({ resultId }: Told) => ends.get(resultId) ?? assert.fail(`${check.name} was told of no result`)
    const byDecision = receiver.told
      .filter(({ checkId, deliveryId }, index) => {
        const first = receiver.told.findIndex((other) => other.deliveryId === deliveryId)
        return checkId === check.id && first === index
      })
      .toSorted((a, b) => (decided.get(a.deliveryId) ?? 0) - (decided.get(b.deliveryId) ?? 0))
    const byEnd = byDecision.toSorted((a, b) => endOf(a) - endOf(b))
    for (const [order, course] of Object.entries({ byDecision, byEnd }))
      assert.deepEqual(
        course.map(({ type }) => type),
        course.map((_, place) => (place % 2 === 0 ? 'ALERT_FAILURE' : 'ALERT_RECOVERY')),
        `${check.name} was not told as down, up, down, up (${order})`,
      )
  }
  return { told: toldIds.size, repeats: receiver.told.length - toldIds.size }
}

function countBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, number> {
  const counts = new Map<K, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}
