/** An HTTP operation as data: the server serves it, the documentation describes it, clients call it. */
import Type, { type Static, type TObject, type TSchema } from 'typebox'

/**
 * Who may call an operation. `public`: anyone. `session`: a person signed in to the web application.
 * `read` … `owner`: a key or person whose role allows it. `runner`: a location key.
 */
export const POLICIES = ['public', 'session', 'read', 'run', 'write', 'admin', 'owner', 'runner'] as const
export type Policy = (typeof POLICIES)[number]

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With parameters in braces: `/v1/checks/{id}`. */
  path: string
  policy: Policy
  tag: string
  summary: string
  description?: string
  deprecated?: boolean
  /** Bytes of body accepted when more than the common limit. */
  bodyLimit?: number
  params?: TObject
  query?: TObject
  body?: TSchema
  /** True where a missing body means an empty one. */
  bodyOptional?: boolean
  /** Success statuses and the shape of each answer; null for an empty answer. */
  answers: { readonly [status: number]: TSchema | null }
  /** Refusals beyond the common ones, by status. */
  refusals?: { readonly [status: number]: string }
}

/** Keeps the literal types of a route, so that handlers and clients are typed by it. */
export const route = <const R extends Route>(definition: R): R => definition

type PartOf<R extends Route, P extends 'params' | 'query' | 'body'> = R[P] extends TSchema ? Static<R[P]> : undefined
export type ParamsOf<R extends Route> = PartOf<R, 'params'>
export type QueryOf<R extends Route> = PartOf<R, 'query'>
export type BodyOf<R extends Route> = PartOf<R, 'body'>

/** What a successful call answers. */
export type AnswerOf<R extends Route> = {
  [S in keyof R['answers']]: R['answers'][S] extends TSchema ? Static<R['answers'][S]> : null
}[keyof R['answers']]

/** Page-based lists. */
export const PageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
}

/** Seconds since 1970; milliseconds and ISO 8601 are understood too. */
export const InstantQuery = Type.Optional(
  Type.String({ maxLength: 40, description: 'UNIX seconds. Milliseconds and ISO 8601 timestamps are accepted too.' }),
)

export const BooleanQuery = Type.Optional(Type.Boolean())
