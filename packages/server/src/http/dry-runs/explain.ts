/** What a dry run says about itself: what decided, what would be tried again, and who would be told. Pure. */
import { firstAlert, type PlannedAttempts, planAttempts, slotInterval } from '@vedette/core'
import type { AssertionOutcome, DryRun, EffectiveSettings, RunReport, VerdictRule } from '@vedette/schema'
import type { OpenCheck } from '../../checks/check.ts'

export function explainDecision(
  report: RunReport,
  assertions: readonly AssertionOutcome[],
  check: OpenCheck,
): DryRun['decision'] {
  const broken = assertions.findIndex(({ error }) => error !== null)
  const rule = report.rule ?? ruleOf(report, broken >= 0)
  return {
    rule,
    blame: BLAME[rule],
    assertion: rule === 'assertion-broken' && broken >= 0 ? broken : null,
    reason: report.error ?? reasonFor(rule, report, assertions.length, limitOf(check)),
  }
}

function limitOf({ effective: { settings } }: OpenCheck): number | null {
  return ('degradedResponseTime' in settings ? settings.degradedResponseTime : null) ?? null
}

const BLAME: { [R in VerdictRule]: DryRun['decision']['blame'] } = {
  'all-is-well': null,
  'assertion-broken': 'target',
  'answer-not-acceptable': 'target',
  'script-failed': 'target',
  'script-timed-out': 'target',
  'over-max-response-time': 'target',
  'over-degraded-response-time': 'target',
  'answer-weak': 'target',
  'no-answer': 'target',
  'our-trouble': 'ours',
}

/** For runners that do not say. */
function ruleOf({ verdict, networkError, overMaxResponseTime, error }: RunReport, isBroken: boolean): VerdictRule {
  switch (verdict) {
    case 'passed':
      return 'all-is-well'
    case 'degraded':
      return error === null ? 'over-degraded-response-time' : 'answer-weak'
    case 'error':
      return 'our-trouble'
    case 'failed':
      if (networkError) return 'no-answer'
      if (isBroken) return 'assertion-broken'
      return overMaxResponseTime ? 'over-max-response-time' : 'answer-not-acceptable'
  }
}

function reasonFor(rule: VerdictRule, { responseTimeMs }: RunReport, assertions: number, limitMs: number | null) {
  if (rule === 'over-degraded-response-time') {
    const limit = limitMs === null ? 'the limit' : `the ${limitMs} ms`
    return `the answer took ${Math.round(responseTimeMs)} ms, more than ${limit} above which it counts as degraded`
  }
  if (rule !== 'all-is-well') return 'the runner gave no reason'
  if (assertions === 0) return 'the answer came in time, was acceptable, and nothing more is asserted of it'
  return assertions === 1
    ? 'the answer came in time and the assertion held'
    : `the answer came in time and all ${assertions} assertions held`
}

export function explainRetry(report: RunReport, check: OpenCheck, settings: EffectiveSettings): DryRun['retry'] {
  const planned = planAttempts(settings.retryStrategy.value, {
    kind: check.kind,
    attempt: 1,
    verdict: report.verdict,
    networkError: report.networkError,
    startedAtMs: 0,
    nowMs: report.durationMs,
    runParallel: settings.runParallel.value,
  })
  return {
    again: planned.attempts.length > 0,
    attempts: planned.attempts.map(({ attempt, reason, delayMs, sameLocation }) => ({
      attempt,
      reason,
      delay: delayMs,
      sameLocation,
    })),
    endedBy: planned.endedBy,
    reason: retryReason(planned),
  }
}

const NO_RETRY: { [R in PlannedAttempts['endedBy']]: string } = {
  'not-failed': 'A run that did not fail is not tried again.',
  'no-strategy': 'It would not be tried again: there is no retry strategy.',
  'not-a-network-error': 'It would not be tried again: an answer came, and the strategy is for network errors only.',
  'used-up': 'It would not be tried again: the strategy is used up.',
  'too-late': 'It would not be tried again: the longest duration of the strategy is over before.',
}

function retryReason({ attempts, endedBy }: PlannedAttempts): string {
  const [first] = attempts
  if (first === undefined) return NO_RETRY[endedBy]
  const times = attempts.length === 1 ? 'once' : `${attempts.length} times`
  const when = attempts.map(({ delayMs }) => (delayMs === 0 ? 'at once' : `after ${durationWords(delayMs)}`))
  const where = attempts.every(({ sameLocation }) => sameLocation)
    ? 'in the same location'
    : attempts.some(({ sameLocation }) => sameLocation)
      ? 'in part in another location, where there is one'
      : 'in another location, where there is one'
  const why = first.reason === 'our-trouble' ? ', because the trouble was not the target’s' : ''
  return `It would be tried again ${times}, ${inARow(when)}, ${where}${why}.`
}

export function explainAlert(report: RunReport, check: OpenCheck, settings: EffectiveSettings): DryRun['alert'] {
  const { frequency, frequencyOffset } = check.effective.settings
  const to = report.verdict === 'failed' ? 'failing' : report.verdict === 'degraded' ? 'degraded' : 'passing'
  const first = firstAlert(to, settings.alertSettings.value, slotInterval({ frequency, frequencyOffset }))
  const withheld = !settings.activated.value ? 'check-deactivated' : settings.muted.value ? 'check-muted' : null
  if (first === null) {
    const reason =
      report.verdict === 'error'
        ? 'No alert: trouble of the monitor itself says nothing about the target.'
        : 'No alert: nothing is wrong.'
    return { when: 'never', alertType: 'NO_ALERT', runs: null, after: null, withheld: null, reason }
  }
  const { alertType, runs, afterMs } = first
  const when = runs === 1 ? 'at-once' : 'later'
  const what = to === 'failing' ? 'that it fails' : 'that it is degraded'
  const then =
    runs === 1
      ? `It would alert at once ${what}.`
      : `It would alert ${what} after ${runs} runs in a row like this one, ${durationWords(afterMs)} after the first.`
  return { when, alertType, runs, after: afterMs, withheld, reason: withheld === null ? then : then + HELD[withheld] }
}

const HELD = {
  'check-muted': ' But the check is muted: nobody would be told.',
  'check-deactivated': ' But the check is not active: it would not run by itself.',
} as const

function durationWords(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds >= 3600 && seconds % 3600 === 0) return `${seconds / 3600} h`
  return seconds >= 120 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}

function inARow(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join('')
  if (new Set(parts).size === 1) return `${parts[0]} each`
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
