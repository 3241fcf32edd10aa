import Type from 'typebox'
import { MetricsToken, MetricsTokenCreate } from '../metrics-token.ts'
import { route } from '../route.ts'
import { Uuid } from '../shape.ts'

const tag = 'Metric export'
const Flag = Type.Optional(Type.Boolean({ default: false }))

export const exportMetrics = route({
  method: 'GET',
  path: '/accounts/{accountId}/v2/prometheus/metrics',
  policy: 'token',
  tag,
  summary: 'Fetch the metrics of an account in the text format of Prometheus',
  description:
    'Send a metrics token as `Authorization: Bearer …`. Answers are up to 60 s old. Counters and histograms begin anew every hour. Tags such as `team:shop` become labels.',
  rate: { requests: 50, seconds: 60 },
  params: Type.Object({ accountId: Uuid }),
  query: Type.Object({ disableTagParsing: Flag, locationLabelEnabled: Flag, includeRetryAttempts: Flag }),
  media: 'text/plain; version=0.0.4',
  answers: { 200: Type.String() },
  refusals: { 401: 'The token is missing or wrong.' },
})

export const listMetricsTokens = route({
  method: 'GET',
  path: '/v1/accounts/me/metrics-tokens',
  policy: 'admin',
  tag,
  summary: 'List the tokens that fetch metrics',
  answers: { 200: Type.Array(MetricsToken) },
})

export const createMetricsToken = route({
  method: 'POST',
  path: '/v1/accounts/me/metrics-tokens',
  policy: 'admin',
  tag,
  summary: 'Create a token that fetches metrics; it is shown once',
  body: MetricsTokenCreate,
  answers: { 201: MetricsToken },
})

export const deleteMetricsToken = route({
  method: 'DELETE',
  path: '/v1/accounts/me/metrics-tokens/{id}',
  policy: 'admin',
  tag,
  summary: 'Delete a token that fetches metrics',
  params: Type.Object({ id: Uuid }),
  answers: { 204: null },
  refusals: { 404: 'No such token in this account.' },
})
