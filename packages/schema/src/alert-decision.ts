/** Why people were told of what a check went through, or were not. */
import Type, { type Static } from 'typebox'
import { AlertType } from './alert.ts'
import { AlertSettings } from './alert-settings.ts'
import { CHANNEL_TYPES } from './channels/index.ts'
import { DateTime, Nullable, Uuid } from './shape.ts'

/** What a check is for its alerts. */
export const TARGET_STATES = ['passing', 'degraded', 'failing'] as const
export const TargetState = Type.Enum(TARGET_STATES)
export type TargetState = Static<typeof TargetState>

/** Rules for the outcomes of the target. */
export const ALERT_RULES = [
  'all-is-well',
  'threshold-reached',
  'threshold-not-reached',
  'told-before',
  'state-changed',
  'no-longer-held',
  'recovered',
  'recovered-while-held',
  'nothing-was-told',
] as const
export type AlertRule = (typeof ALERT_RULES)[number]

/** All that can decide whether people are told. */
export const DECISION_RULES = [
  ...ALERT_RULES,
  'too-few-locations-failed',
  'in-error',
  'in-error-leaves-open',
  'old-news',
  'in-maintenance',
  'ran-in-maintenance',
  'certificate-expires',
  'reminder',
  'acknowledged',
  'parent-failing',
] as const
export const DecisionRule = Type.Enum(DECISION_RULES)
export type DecisionRule = Static<typeof DecisionRule>

/** What can hold a message back from one channel. */
export const WITHHELD_REASONS = [
  'nothing-to-tell',
  'check-muted',
  'subscription-off',
  'failures-not-wanted',
  'degradations-not-wanted',
  'recoveries-not-wanted',
  'certificates-not-wanted',
  'certificate-not-near-expiry',
  'over-limit',
] as const
export const WithheldReason = Type.Enum(WITHHELD_REASONS)
export type WithheldReason = Static<typeof WithheldReason>

/** How much trouble it takes. */
export const AlertThreshold = Type.Object({ unit: Type.Enum(['runs', 'minutes']), amount: Type.Integer() })
export type AlertThreshold = Static<typeof AlertThreshold>

/** What the rule saw; only what it looked at. */
export const DecisionInputs = Type.Object({
  runCount: Type.Optional(Type.Integer({ description: 'Runs in a row in the state, with this one.' })),
  minutes: Type.Optional(Type.Integer({ description: 'Whole minutes since the trouble, or the quiet, began.' })),
  threshold: Type.Optional(AlertThreshold),
  locations: Type.Optional(
    Type.Object(
      { failed: Type.Integer(), inError: Type.Integer(), total: Type.Integer() },
      { description: 'Of a run in several locations.' },
    ),
  ),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'End of the maintenance.' })),
  reminder: Type.Optional(
    Type.Object({ sequence: Type.Integer(), amount: Type.Integer({ description: '100000 means without end.' }) }),
  ),
  acknowledgedBy: Type.Optional(Type.String({ description: 'Who is on it, so that nobody need be reminded.' })),
  parent: Type.Optional(
    Type.Object(
      {
        checkId: Uuid,
        name: Type.String(),
        isBeingTried: Type.Boolean({
          description: 'Its newest failure is being tried once more; it is not failing yet.',
        }),
      },
      { description: 'The check because of which this one is held.' },
    ),
  ),
  certificate: Type.Optional(Type.Object({ domain: Type.String(), daysRemaining: Type.Integer() })),
})
export type DecisionInputs = Static<typeof DecisionInputs>

export const ChannelDecision = Type.Object({
  channelId: Type.Integer(),
  type: Nullable(Type.Enum(CHANNEL_TYPES), { description: 'Null once the channel is gone.' }),
  because: Nullable(WithheldReason, { description: 'The one reason for which it was not told; null: it was.' }),
  digestId: Nullable(Uuid, { description: 'The digest that told it, when the channel was over its limit.' }),
  words: Type.String(),
})
export type ChannelDecision = Static<typeof ChannelDecision>

export const AlertDecision = Type.Object(
  {
    id: Type.String(),
    at: Type.String({ format: 'date-time', description: 'When what was decided upon had ended.' }),
    checkRunId: Nullable(Type.Number(), { description: 'The run; null where none led to it.' }),
    resultId: Nullable(Uuid, { description: 'The result, or the event of a heartbeat.' }),
    from: Nullable(TargetState),
    to: Nullable(TargetState, { description: 'Null when nothing was learnt of the target.' }),
    alertType: AlertType,
    rule: DecisionRule,
    inputs: DecisionInputs,
    due: Type.Boolean({ description: 'Whether people were to be told, as far as the alert settings go.' }),
    muted: Type.Boolean({ description: 'Whether the check was muted.' }),
    alertId: Nullable(Type.String(), { description: 'The alert that came of it.' }),
    channels: Type.Array(ChannelDecision, { description: 'Every subscription, where the decision was due.' }),
    words: Type.String({ description: 'The decision in a sentence.' }),
    decidedAt: DateTime,
  },
  { description: 'Runs that pass while all is well are not listed: there is nothing to decide.' },
)
export type AlertDecision = Static<typeof AlertDecision>

/** How alert settings are tried on the past. */
export const AlertReplayRequest = Type.Object({
  alertSettings: AlertSettings,
})
export type AlertReplayRequest = Static<typeof AlertReplayRequest>

export const ReplayedAlert = Type.Object({
  at: DateTime,
  alertType: AlertType,
  from: TargetState,
  to: TargetState,
  reminder: Type.Integer({ description: '0 for the alert itself, then 1, 2, … for its reminders.' }),
})

const MOST_LISTED = 1000
const Replayed = Type.Object({
  alerts: Type.Array(ReplayedAlert, { description: `The first ${MOST_LISTED}, oldest first.` }),
  count: Type.Integer({ description: 'Of all, with reminders.' }),
})

export const AlertReplay = Type.Object({
  from: DateTime,
  to: DateTime,
  runs: Type.Integer({ description: 'Runs in the window.' }),
  live: Replayed,
  draft: Replayed,
  comparison: Type.Object({
    count: Type.Integer({
      description: 'Alerts that the draft would have sent more than the live settings; negative: fewer.',
    }),
    firstAlertLaterByMs: Nullable(
      Type.Integer({ description: 'Negative: earlier. Null unless both would have alerted.' }),
    ),
  }),
})
export type AlertReplay = Static<typeof AlertReplay>
