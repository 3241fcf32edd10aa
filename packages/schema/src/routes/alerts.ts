import Type from 'typebox'
import { AlertNotification, CheckAlert } from '../alert.ts'
import { AlertDecision, AlertReplay, AlertReplayRequest } from '../alert-decision.ts'
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

export const listAlertDecisions = route({
  method: 'GET',
  path: '/v1/checks/{id}/alert-decisions',
  policy: 'read',
  tag,
  summary: 'List why people were told of a check or were not, newest first',
  description:
    'The last 24 hours unless `from` or `to` say otherwise; at most 31 days. Runs that pass while all is well are not listed.',
  params: Type.Object({ id: Uuid }),
  query: Type.Object({ ...PageQuery, ...window }),
  answers: { 200: Type.Array(AlertDecision) },
  refusals: { 404: 'No such check in this account.' },
})

export const replayAlerts = route({
  method: 'POST',
  path: '/v1/checks/{id}/alert-replay',
  policy: 'read',
  tag,
  summary: 'Try alert settings on the past of a check',
  description:
    'Which alerts the settings in the body would have sent, beside those of the settings in force now. The last 7 days unless `from` or `to` say otherwise; at most 31 days and 70000 runs, with those of the day before, from which the state at the beginning is taken. Muting, maintenance and channels are left out.',
  rate: { requests: 5, seconds: 10 },
  params: Type.Object({ id: Uuid }),
  query: Type.Object(window),
  body: AlertReplayRequest,
  answers: { 200: AlertReplay },
  refusals: { 404: 'No such check in this account.' },
})
