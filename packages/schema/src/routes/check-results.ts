import Type from 'typebox'
import { CheckKind } from '../check-kind.ts'
import { CheckResult, CheckResultPage } from '../result.ts'
import { BooleanQuery, InstantQuery, PageQuery, route } from '../route.ts'
import { RunComparison } from '../run-comparison.ts'
import { Uuid } from '../shape.ts'

const tag = 'Check results'
const filters = {
  from: InstantQuery,
  to: InstantQuery,
  location: Type.Optional(Type.String({ description: 'A region or the slug of a private location.' })),
  checkType: Type.Optional(CheckKind),
  hasFailures: BooleanQuery,
  resultType: Type.Optional(Type.Enum(['FINAL', 'ATTEMPT', 'ALL'], { default: 'FINAL' })),
}
/** Pages are read one after the other by whoever collects results. */
const rate = { requests: 60, seconds: 60 }

export const listCheckResultsByPage = route({
  method: 'GET',
  path: '/v1/check-results/{checkId}',
  policy: 'read',
  tag,
  summary: 'List the results of a check within 6 hours, newest first',
  description: 'The list by cursor is the better one.',
  deprecated: true,
  rate,
  params: Type.Object({ checkId: Uuid }),
  query: Type.Object({ ...PageQuery, ...filters }),
  answers: { 200: Type.Array(CheckResult) },
  refusals: { 404: 'No such check in this account.' },
})

export const listCheckResults = route({
  method: 'GET',
  path: '/v2/check-results/{checkId}',
  policy: 'read',
  tag,
  summary: 'List the results of a check, newest first',
  rate,
  params: Type.Object({ checkId: Uuid }),
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
    nextId: Type.Optional(Type.String({ description: 'The cursor of the previous answer.' })),
    ...filters,
  }),
  answers: { 200: CheckResultPage },
  refusals: { 404: 'No such check in this account.' },
})

export const getCheckResult = route({
  method: 'GET',
  path: '/v1/check-results/{checkId}/{checkResultId}',
  policy: 'read',
  tag,
  summary: 'Get one result',
  params: Type.Object({ checkId: Uuid, checkResultId: Uuid }),
  answers: { 200: CheckResult },
  refusals: { 404: 'No such result.' },
})

export const compareCheckResult = route({
  method: 'GET',
  path: '/v1/check-results/{checkId}/{checkResultId}/comparison',
  policy: 'read',
  tag,
  summary: 'Compare a run of a script with another, by default the last good one before it',
  description:
    'Of checks whose runs execute a script. The last good run is the newest one before it that passed, at the same location if ' +
    'there is one.',
  params: Type.Object({ checkId: Uuid, checkResultId: Uuid }),
  query: Type.Object({ with: Type.Optional(Uuid) }),
  answers: { 200: RunComparison },
  refusals: { 404: 'No such result, nothing to compare it with, or no run of a script.' },
})
