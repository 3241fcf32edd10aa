/** The description of the API (OpenAPI 3.1), made from the routes that are served. */
import { Problem, type Route, routes } from '@vedette/schema'
import type { TSchema } from 'typebox'
import { VERSION } from '../version.ts'
import { exampleOf } from './describe/example.ts'
import { headerComponents, headersOf } from './describe/headers.ts'
import type { Json } from './describe/json.ts'
import { NamedSchemas } from './describe/named-schemas.ts'
import { parameterComponents, parametersOf } from './describe/parameters.ts'
import { refusalComponents, refusalsOf } from './describe/refusals.ts'
import { isTagged } from './describe/traits.ts'
import { descriptionOf } from './describe/words.ts'

const INTRODUCTION = `Checks, results and alerts.

Send an API key as \`Authorization: Bearer <API_KEY>\`. Bodies and answers are JSON. Every refusal has the shape of
\`Problem\`. Unknown fields and query parameters are ignored; an update leaves what it does not name as it is.`

const FILE_BODY = {
  required: true,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
}

const names = new Map(Object.entries<Route>(routes).map(([name, route]) => [route, name]))

export function describeApi(served: readonly Route[], serverUrl: string): Json {
  const schemas = new NamedSchemas()
  schemas.refer(Problem)
  const paths: Record<string, Json> = {}
  for (const route of served) {
    const operations = paths[route.path] ?? {}
    operations[route.method.toLowerCase()] = describeOperation(route, schemas)
    paths[route.path] = operations
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vedette',
      version: VERSION,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(served.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: inOrder(schemas.components),
      responses: { NotModified: { description: 'What the client has is still so.' }, ...refusalComponents },
      parameters: parameterComponents,
      headers: headerComponents,
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key.' },
        locationKey: { type: 'http', scheme: 'bearer', description: 'A key of a location, for runners.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'vedette-session',
          description: 'Set by signing in to the web application. Writes must come from its own pages.',
        },
      },
    },
  }
}

function inOrder(components: Json): Json {
  return Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function describeOperation(route: Route, schemas: NamedSchemas): Json {
  return {
    tags: [route.tag],
    summary: route.summary,
    operationId: names.get(route) ?? `${route.method.toLowerCase()} ${route.path}`,
    description: descriptionOf(route),
    ...(route.deprecated ? { deprecated: true } : {}),
    security: security(route),
    parameters: parametersOf(route, schemas),
    ...(route.body === undefined ? {} : { requestBody: requestBody(route, route.body, schemas) }),
    ...(route.takesBytes === true ? { requestBody: FILE_BODY } : {}),
    responses: { ...refusalsOf(route), ...unchanged(route), ...answers(route, schemas) },
  }
}

function security(route: Route): Json[] {
  if (route.policy === 'public' || route.policy === 'token') return []
  if (route.policy === 'runner') return [{ locationKey: [] }]
  return route.policy === 'session' ? [{ session: [] }] : [{ key: [] }, { session: [] }]
}

function requestBody(route: Route, body: TSchema, schemas: NamedSchemas): Json {
  const example = exampleOf(body, { of: 'request' })
  return {
    required: !route.bodyOptional,
    content: { 'application/json': { schema: schemas.refer(body), example } },
  }
}

function answers(route: Route, schemas: NamedSchemas): Json {
  const headers = headersOf(route)
  const media = route.media ?? 'application/json'
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, schema]) => [
      status,
      {
        description: status === '201' ? 'Created.' : schema === null ? 'Done.' : 'Successful.',
        ...(Object.keys(headers).length === 0 ? {} : { headers }),
        ...(schema === null ? {} : { content: { [media]: content(schema, route, schemas) } }),
      },
    ]),
  )
}

function unchanged(route: Route): Json {
  return isTagged(route) ? { 304: { $ref: '#/components/responses/NotModified' } } : {}
}

function content(schema: TSchema, route: Route, schemas: NamedSchemas): Json {
  const shape = schemas.refer(schema)
  return route.media === undefined ? { schema: shape, example: exampleOf(schema, { of: 'answer' }) } : { schema: shape }
}
