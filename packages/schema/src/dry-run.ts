/** A definition that was run once, without a check being kept: what came back, and what would follow from it. */
import Type, { type Static } from 'typebox'
import { AlertType } from './alert.ts'
import { EffectiveSettings } from './effective-check.ts'
import { RUNNABLE_KINDS } from './kinds/index.ts'
import { CheckResult, Verdict } from './result.ts'
import { DateTime, Ms, Nullable } from './shape.ts'
import { VerdictRule } from './verdict-rule.ts'

export const DryRunDecision = Type.Object({
  rule: VerdictRule,
  blame: Nullable(Type.Enum(['target', 'ours']), { description: 'Whose trouble it was; null when there was none.' }),
  assertion: Nullable(Type.Integer({ minimum: 0 }), {
    description: 'Which assertion decided, counted from 0 as the result lists them.',
  }),
  reason: Type.String({ description: 'The same in one sentence, with what was seen.' }),
})

export const DryRunRetry = Type.Object({
  again: Type.Boolean(),
  attempts: Type.Array(
    Type.Object({
      attempt: Type.Integer({ minimum: 2 }),
      reason: Type.Enum(['retry', 'our-trouble']),
      delay: Type.Number({ minimum: 0, description: 'Milliseconds after the end of the attempt before.' }),
      sameLocation: Type.Boolean(),
    }),
    { description: 'As long as each ends as this one did, and takes as long.' },
  ),
  endedBy: Type.Enum(['not-failed', 'no-strategy', 'not-a-network-error', 'used-up', 'too-late'], {
    description: 'Why no further attempt follows.',
  }),
  reason: Type.String(),
})

export const DryRunAlert = Type.Object({
  when: Type.Enum(['never', 'at-once', 'later']),
  alertType: AlertType,
  runs: Nullable(Type.Integer({ minimum: 1 }), { description: 'So many runs in a row that end like this one.' }),
  after: Nullable(Type.Number({ minimum: 0 }), {
    description: 'Milliseconds from the first of these runs to the one that alerts.',
  }),
  withheld: Nullable(Type.Enum(['check-muted', 'check-deactivated']), {
    description: 'What would keep the alert from being told, or the check from running at all.',
  }),
  reason: Type.String(),
})

export const DryRun = Type.Object({
  checkType: Type.Enum(RUNNABLE_KINDS),
  runLocation: Type.String(),
  verdict: Verdict,
  decision: DryRunDecision,
  startedAt: DateTime,
  duration: Ms,
  phases: Type.Array(Type.Object({ name: Type.String(), duration: Ms }), {
    description: 'By the names of the measurements of the kind that are times; the main one comes first.',
  }),
  retry: DryRunRetry,
  alert: DryRunAlert,
  settings: EffectiveSettings,
  result: CheckResult,
})
export type DryRun = Static<typeof DryRun>
