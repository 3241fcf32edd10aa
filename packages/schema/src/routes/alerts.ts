import Type from 'typebox'
import { AlertNotification, CheckAlert } from '../alert.ts'
import { BooleanQuery, InstantQuery, PageQuery, route } from '../route.ts'
import { NumericId, Uuid } from '../shape.ts'

const tag = 'Alerts'
const window = { from: InstantQuery, to: InstantQuery }

export const listAlertNotifications = route({
  method: 'GET',
  path: '/v1/alert-notifications',
  policy: 'read',
  tag,
  summary: 'List what was told to whom, newest first',
  description: 'The last 6 hours unless `from` or `to` say otherwise; at most 24 hours.',
  rate: { requests: 5, seconds: 10 },
  query: Type.Object({
    ...PageQuery,
    ...window,
    alertChannelId: Type.Optional(NumericId),
    hasFailures: BooleanQuery,
  }),
  answers: { 200: Type.Array(AlertNotification) },
})

export const listCheckAlerts = route({
  method: 'GET',
  path: '/v1/check-alerts',
  policy: 'read',
  tag,
  summary: 'List the alerts of all checks, newest first',
  description: 'The last 6 hours unless `from` or `to` say otherwise; at most 6 hours.',
  query: Type.Object({ ...PageQuery, ...window }),
  answers: { 200: Type.Array(CheckAlert) },
})

export const listAlertsOfCheck = route({
  method: 'GET',
  path: '/v1/check-alerts/{checkId}',
  policy: 'read',
  tag,
  summary: 'List the alerts of a check, newest first',
  description: 'The last 6 hours unless `from` or `to` say otherwise; at most 6 hours.',
  params: Type.Object({ checkId: Uuid }),
  query: Type.Object({ ...PageQuery, ...window }),
  answers: { 200: Type.Array(CheckAlert) },
  refusals: { 404: 'No such check in this account.' },
})
