/** What an alert says, and the log of what was told to whom. */
import Type, { type Static } from 'typebox'
import { CHANNEL_TYPES } from './channels/index.ts'
import { CheckKind } from './check-kind.ts'
import { DateTime, Ms, Nullable, Uuid } from './shape.ts'

export const ALERT_TYPES = [
  'NO_ALERT',
  'ALERT_FAILURE',
  'ALERT_FAILURE_REMAIN',
  'ALERT_FAILURE_DEGRADED',
  'ALERT_RECOVERY',
  'ALERT_DEGRADED',
  'ALERT_DEGRADED_REMAIN',
  'ALERT_DEGRADED_FAILURE',
  'ALERT_DEGRADED_RECOVERY',
  'ALERT_SSL',
] as const
export const AlertType = Type.Enum(ALERT_TYPES)
export type AlertType = Static<typeof AlertType>

/** A change of a check's state that was worth telling, whoever was told. */
export const CheckAlert = Type.Object({
  id: Type.String(),
  name: Type.String({ description: 'Of the check.' }),
  checkId: Uuid,
  alertType: AlertType,
  checkType: CheckKind,
  runLocation: Nullable(Type.String({ description: 'Where the result came from; null once the location is gone.' })),
  responseTime: Ms,
  error: Nullable(Type.String()),
  statusCode: Nullable(Type.String({ description: 'Of the HTTP response.' })),
  created_at: DateTime,
  startedAt: DateTime,
})
export type CheckAlert = Static<typeof CheckAlert>

export const NOTIFICATION_STATUSES = ['IN_PROGRESS', 'SUCCESS', 'FAILURE', 'RATE_LIMITED'] as const
export const NotificationStatus = Type.Enum(NOTIFICATION_STATUSES)
export type NotificationStatus = Static<typeof NotificationStatus>

export const AlertNotification = Type.Object({
  id: Uuid,
  alertType: Type.Optional(AlertType),
  type: Type.Enum(CHANNEL_TYPES),
  status: NotificationStatus,
  alertConfig: Type.Record(Type.String(), Type.Unknown()),
  notificationResult: Nullable(Type.String()),
  timestamp: Nullable(DateTime),
  checkType: CheckKind,
  checkId: Uuid,
  checkAlertId: Nullable(Type.String(), { description: 'Null for a digest, which tells of many.' }),
  alertChannelId: Type.Integer(),
  checkResultId: Uuid,
  digestId: Nullable(Uuid, { description: 'The digest that tells of it, when it was held back (`RATE_LIMITED`).' }),
  digestOf: Nullable(Type.Integer(), {
    description: 'Of a digest: for how many notifications it stands. Its check is the one that is worst.',
  }),
  fallbackOf: Nullable(Uuid, { description: 'The notification that could not be delivered, in whose place this is.' }),
})
export type AlertNotification = Static<typeof AlertNotification>

/** Whether there is a result to show: pings are no runs, and certificates of browser checks are inspected apart from them. */
export function isFoundByRun(checkKind: CheckKind, alertType: AlertType | undefined): boolean {
  return checkKind !== 'HEARTBEAT' && !(checkKind === 'BROWSER' && alertType === 'ALERT_SSL')
}

/** The facts of an alert, from which every channel lays out its message. Names are those of the template language. */
export const AlertMessage = Type.Object({
  ALERT_TITLE: Type.String(),
  ALERT_TYPE: AlertType,
  EPISODE_ID: Type.String({ description: 'The same from the first alert of a trouble to its recovery.' }),
  CHECK_ID: Uuid,
  CHECK_NAME: Type.String(),
  CHECK_TYPE: CheckKind,
  CHECK_DESCRIPTION: Type.String(),
  CHECK_RESULT_ID: Uuid,
  CHECK_ERROR_MESSAGE: Type.String(),
  API_CHECK_RESPONSE_STATUS_CODE: Type.String(),
  API_CHECK_RESPONSE_STATUS_TEXT: Type.String(),
  GROUP_NAME: Type.String(),
  IS_REMINDER: Type.Boolean(),
  REMINDER_SEQUENCE: Type.Integer(),
  REGION: Type.String(),
  RUN_LOCATION: Type.String(),
  RESPONSE_TIME: Type.Number(),
  RESULT_LINK: Type.String(),
  ACKNOWLEDGE_LINK: Type.String({
    description:
      'Where whoever reads the message can say to be on it. Made when it is sent and stored nowhere; empty where there is no trouble.',
  }),
  HELD_CHECKS: Type.String({
    description: 'Checks in trouble of which nobody is told because of this one; at most ten by name.',
  }),
  SSL_DAYS_REMAINING: Type.String(),
  SSL_CHECK_DOMAIN: Type.String(),
  STARTED_AT: DateTime,
  TAGS: Type.Array(Type.String()),
  IS_DIGEST: Type.Boolean({ description: 'Whether it stands for many messages that were held back.' }),
  DIGEST_COUNT: Type.Integer({ description: 'Of how many checks a digest tells; 0 for all other messages.' }),
  DIGEST_LIST: Type.Array(Type.String(), { description: 'A line for each of them, the worst first.' }),
  FALLBACK_FOR: Type.String({ description: 'The channel that could not be reached, whose message this is; or empty.' }),
  DELIVERY_NOTE: Type.String({ description: 'That it comes late, or in place of another channel; or empty.' }),
})
export type AlertMessage = Static<typeof AlertMessage>
