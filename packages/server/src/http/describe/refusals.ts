/** What an operation can refuse, with which status, and what such a refusal looks like. */
import type { Problem, Route } from '@vedette/schema'
import { problem } from '../errors.ts'
import { asJson, asTexts, type Json } from './json.ts'
import { hasAccount, isPaced, isRepeatable } from './traits.ts'

const PROBLEM = { $ref: '#/components/schemas/Problem' }
const REQUEST_ID = 'req-4f'

/** Those that look the same everywhere, by the name of their component. */
const SHARED = {
  Unauthorized: [401, 'The key or session is missing, wrong or has ended.', problem(401, 'Bad Token')],
  Forbidden: [
    403,
    'The role may not do this, or the account is not one that the key opens.',
    problem(403, 'The role READ_ONLY may not do this.'),
  ],
  TooLarge: [413, 'The body is larger than is accepted here.', problem(413, 'Request body is too large')],
  UnsupportedMediaType: [415, 'The body is not JSON.', problem(415, 'Unsupported Media Type')],
  KeyUsedBefore: [
    422,
    'The `Idempotency-Key` was used before, for another request.',
    {
      ...problem(422, '"idempotency-key" was used before for another request'),
      validation: { source: 'headers', keys: ['idempotency-key'] },
    },
  ],
  TooManyRequests: [
    429,
    'Too many requests: call again after `Retry-After` seconds.',
    problem(429, 'Too Many Requests'),
  ],
  InternalServerError: [
    500,
    'A fault of ours. The log of the server has it under `requestId`.',
    { ...problem(500, 'An internal server error occurred'), requestId: REQUEST_ID },
  ],
  ServiceUnavailable: [
    503,
    'The database is away for a moment: call again after `Retry-After` seconds.',
    { ...problem(503, 'The database is away for a moment.'), requestId: REQUEST_ID },
  ],
} as const satisfies Record<string, readonly [number, string, Problem]>

export const refusalComponents: Json = Object.fromEntries(
  Object.entries(SHARED).map(([name, [status, description, example]]) => [
    name,
    aRefusal(status, description, example),
  ]),
)

/** By status. What the route itself says of a status comes before what is common. */
export function refusalsOf(route: Route): Json {
  const shared = (Object.keys(SHARED) as (keyof typeof SHARED)[])
    .filter((name) => canBeRefused(route, name))
    .map((name): [number, unknown] => [SHARED[name][0], { $ref: `#/components/responses/${name}` }])
  const own = Object.entries(route.refusals ?? {}).map(([status, description]): [string, unknown] => [
    status,
    aRefusal(Number(status), description, exampleOf(route, Number(status), description)),
  ])
  return Object.fromEntries([
    ...(takesInput(route) ? [[400, aRefusal(400, INVALID, invalidExample(route))] as const] : []),
    ...(isRepeatable(route) ? [[409, aRefusal(409, IN_PROGRESS, problem(409, IN_PROGRESS_MESSAGE))] as const] : []),
    ...(takesFreeParams(route) ? [[404, aRefusal(404, NOT_THERE, problem(404, 'Not Found'))] as const] : []),
    ...shared,
    ...own,
  ])
}

const INVALID = 'The request breaks a rule: `validation` says where, `message` why. Nothing was changed.'
const IN_PROGRESS = 'A request with the same `Idempotency-Key` is in progress.'
const IN_PROGRESS_MESSAGE = 'A request with this Idempotency-Key is in progress. Try again in a moment.'
const NOT_THERE = 'There is no such thing in this account.'

function canBeRefused(route: Route, name: keyof typeof SHARED): boolean {
  switch (name) {
    case 'Unauthorized':
      return route.policy !== 'public' && route.policy !== 'token'
    case 'Forbidden':
      return hasAccount(route) || (route.policy === 'session' && route.method !== 'GET')
    case 'TooLarge':
      return route.body !== undefined || route.takesBytes === true
    case 'UnsupportedMediaType':
      return route.body !== undefined
    case 'KeyUsedBefore':
      return isRepeatable(route)
    case 'TooManyRequests':
      return isPaced(route)
    default:
      return true
  }
}

function takesInput(route: Route): boolean {
  return route.takesBytes === true || [route.params, route.query, route.body].some((input) => input !== undefined)
}

/** Whether an id in the path may be of something that is not there. */
function takesFreeParams(route: Route): boolean {
  return Object.values(asJson(route.params?.properties)).some((shape) => !('enum' in asJson(shape)))
}

function exampleOf(route: Route, status: number, description: string): Problem {
  if (status === 400) return invalidExample(route)
  return problem(status, status === 401 ? 'Bad Token' : status === 404 ? 'Not Found' : description)
}

/** A mistake that can really be made with this operation. */
function invalidExample(route: Route): Problem {
  const invalid = (source: 'payload' | 'query' | 'params', key: string, reason: string): Problem => ({
    ...problem(400, `"${key}" ${reason}`),
    validation: { source, keys: [key] },
  })
  const [field] = asTexts(asJson(route.body).required)
  if (field !== undefined) return invalid('payload', field, 'is required')
  if (Object.hasOwn(asJson(route.query?.properties), 'limit')) return invalid('query', 'limit', 'must be 1 or more')
  const [param] = Object.entries(asJson(route.params?.properties))
  if (param !== undefined && asJson(param[1]).format === 'uuid')
    return invalid('params', param[0], 'must be a valid uuid')
  return { ...problem(400, 'A JSON body is required.'), validation: { source: 'payload', keys: [] } }
}

function aRefusal(status: number, description: string, example: Problem): Json {
  const waits = status === 408 || status === 429 || status === 503
  return {
    description,
    ...(waits ? { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } } : {}),
    content: { 'application/json': { schema: PROBLEM, example } },
  }
}
