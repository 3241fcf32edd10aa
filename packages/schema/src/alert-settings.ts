/** When a check in trouble becomes an alert, and how often people are reminded. */
import Type, { type Static } from 'typebox'

export const ESCALATION_TYPES = ['RUN_BASED', 'TIME_BASED'] as const

export const AlertSettings = Type.Object({
  escalationType: Type.Enum(ESCALATION_TYPES, { default: 'RUN_BASED' }),
  runBasedEscalation: Type.Optional(
    Type.Object({ failedRunThreshold: Type.Enum([1, 2, 3, 4, 5], { default: 1 }) }, { default: {} }),
  ),
  timeBasedEscalation: Type.Optional(
    Type.Object({ minutesFailingThreshold: Type.Enum([5, 10, 15, 30], { default: 5 }) }),
  ),
  reminders: Type.Optional(
    Type.Object(
      {
        amount: Type.Enum([0, 1, 2, 3, 4, 5, 100_000], { default: 0, description: '100000 means without end.' }),
        interval: Type.Enum([1, 2, 3, 4, 5, 10, 15, 30], { default: 5, description: 'Minutes.' }),
      },
      { default: {} },
    ),
  ),
  parallelRunFailureThreshold: Type.Optional(
    Type.Object(
      {
        enabled: Type.Boolean({ default: false }),
        percentage: Type.Enum([10, 20, 30, 40, 50, 60, 70, 80, 90, 100], { default: 10 }),
      },
      { default: {} },
    ),
  ),
})
export type AlertSettings = Static<typeof AlertSettings>

export const DEFAULT_ALERT_SETTINGS: AlertSettings = {
  escalationType: 'RUN_BASED',
  runBasedEscalation: { failedRunThreshold: 1 },
  reminders: { amount: 0, interval: 5 },
  parallelRunFailureThreshold: { enabled: false, percentage: 10 },
}
