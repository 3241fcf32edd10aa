/** The description of the API, made from the routes that are served. */
import { Problem, type Route } from '@vedette/schema'
import type { TObject, TSchema } from 'typebox'
import { VERSION } from '../version.ts'
import { withOneOf } from './one-of.ts'

type Json = Record<string, unknown>

const COMMON_REFUSALS: Record<number, string> = {
  400: 'The request breaks a rule; `validation` names the fields.',
  401: 'The key is missing or wrong.',
  403: 'The role may not do this, or the account is not the key’s.',
  429: 'Too many requests: wait `Retry-After` seconds.',
}

export function describeApi(served: readonly Route[], serverUrl: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of served) {
    const operations = paths[route.path] ?? {}
    operations[route.method.toLowerCase()] = describeOperation(route)
    paths[route.path] = operations
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vedette',
      version: VERSION,
      description: 'Checks, results, alerts. Send a key as `Authorization: Bearer <API_KEY>`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(served.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem },
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key.' },
        locationKey: { type: 'http', scheme: 'bearer', description: 'A key of a location, for runners.' },
        session: { type: 'apiKey', in: 'cookie', name: 'vedette-session' },
      },
    },
  }
}

function describeOperation(route: Route): Json {
  const hasAccount = !['public', 'token', 'runner'].includes(route.policy)
  return {
    tags: [route.tag],
    summary: route.summary,
    operationId: `${route.method.toLowerCase()}${route.path.replaceAll(/[^a-zA-Z0-9]+(\w)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '')}`,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(route.deprecated ? { deprecated: true } : {}),
    security: security(route),
    parameters: [
      ...parameters('path', route.params),
      ...parameters('query', route.query),
      ...(hasAccount && route.policy !== 'session'
        ? [{ name: 'x-service-account', in: 'header', required: false, schema: { type: 'string', format: 'uuid' } }]
        : []),
    ],
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: !route.bodyOptional,
            content: { 'application/json': { schema: withOneOf(route.body) } },
          },
        }),
    responses: { ...answers(route), ...refusals(route) },
  }
}

function security(route: Route): Json[] {
  if (route.policy === 'public' || route.policy === 'token') return []
  if (route.policy === 'runner') return [{ locationKey: [] }]
  return route.policy === 'session' ? [{ session: [] }] : [{ key: [] }, { session: [] }]
}

function parameters(place: 'path' | 'query', schema: TObject | undefined): Json[] {
  if (schema === undefined) return []
  const required = new Set<string>('required' in schema && Array.isArray(schema.required) ? schema.required : [])
  return Object.entries<TSchema>(schema.properties).map(([name, shape]) => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    schema: shape,
  }))
}

function answers(route: Route): Json {
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, schema]) => [
      status,
      schema === null
        ? { description: 'Done.' }
        : { description: 'Successful.', content: { 'application/json': { schema: withOneOf(schema) } } },
    ]),
  )
}

function refusals(route: Route): Json {
  const common = Object.entries(COMMON_REFUSALS).filter(
    ([status]) => (status !== '401' && status !== '403') || !['public', 'token'].includes(route.policy),
  )
  return Object.fromEntries(
    [...common, ...Object.entries(route.refusals ?? {})].map(([status, description]) => [
      status,
      { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } } },
    ]),
  )
}
