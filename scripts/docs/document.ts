/** The description of the API as the generated pages read it. */
import { routes } from '../../packages/schema/src/index.ts'
import { asJson, asList, type Json } from '../../packages/server/src/http/describe/json.ts'
import { describeApi } from '../../packages/server/src/http/openapi.ts'

export const SERVER_URL = 'https://vedette.example.org'

export interface Operation {
  id: string
  method: string
  path: string
  tag: string
  summary: string
  description: string
  isDeprecated: boolean
  security: string | undefined
  parameters: Json[]
  bodyIsOptional: boolean
  body: Content | null
  /** The media type of a body that is a file. */
  file: string | null
  /** By status, successes and refusals alike. */
  responses: { status: string; description: string; isShared: boolean; media: string; content: Content | null }[]
}

export interface Content {
  schema: unknown
  example: unknown
}

export interface ApiDocument {
  operations: Operation[]
  schemas: Map<string, unknown>
}

export function readDocument(): ApiDocument {
  const document: Json = JSON.parse(JSON.stringify(describeApi(Object.values(routes), SERVER_URL)))
  const components = asJson(document.components)
  const resolve = (value: unknown): Json => {
    const [, , kind, name] = String(asJson(value).$ref ?? '').split('/')
    return asJson(kind === undefined || name === undefined ? value : asJson(components[kind])[name])
  }
  const operations = Object.entries(asJson(document.paths)).flatMap(([path, methods]) =>
    Object.entries(asJson(methods)).map(([method, operation]) =>
      readOperation(method.toUpperCase(), path, asJson(operation), resolve),
    ),
  )
  return { operations: operations.toSorted(byPath), schemas: new Map(Object.entries(asJson(components.schemas))) }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function byPath(a: Operation, b: Operation): number {
  if (a.path === b.path) return METHODS.indexOf(a.method) - METHODS.indexOf(b.method)
  return a.path < b.path ? -1 : 1
}

function readOperation(method: string, path: string, operation: Json, resolve: (value: unknown) => Json): Operation {
  const body = operation.requestBody === undefined ? null : asJson(operation.requestBody)
  return {
    id: String(operation.operationId),
    method,
    path,
    tag: String(asList(operation.tags)[0]),
    summary: String(operation.summary),
    description: String(operation.description),
    isDeprecated: operation.deprecated === true,
    security: Object.keys(asJson(asList(operation.security)[0]))[0],
    parameters: asList(operation.parameters).map(resolve),
    bodyIsOptional: body?.required !== true,
    ...bodyOf(body),
    responses: Object.entries(asJson(operation.responses)).map(([status, response]) => ({
      status,
      description: String(resolve(response).description),
      isShared: '$ref' in asJson(response),
      ...contentOf(resolve(response)),
    })),
  }
}

function bodyOf(body: Json | null): Pick<Operation, 'body' | 'file'> {
  if (body === null) return { body: null, file: null }
  const { media, content } = contentOf(body)
  return media === 'application/json' ? { body: content, file: null } : { body: null, file: media }
}

function contentOf(holder: Json): { media: string; content: Content | null } {
  const [entry] = Object.entries(asJson(holder.content))
  if (entry === undefined) return { media: '', content: null }
  const { schema, example } = asJson(entry[1])
  return { media: entry[0], content: { schema, example } }
}
