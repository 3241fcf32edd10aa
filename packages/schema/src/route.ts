/** An HTTP operation as data: the server serves it, the documentation describes it, clients call it. */
import Type, { type Static, type TObject, type TSchema } from 'typebox'

/**
 * Who may call an operation. `public`: anyone. `session`: a person signed in to the web application.
 * `read` … `owner`: a key or person whose role allows it. `operator`: an owner of the installation's first account, who
 * rules what all accounts share. `runner`: a location key. `token`: whoever knows the secret that the operation itself asks
 * for, as trigger URLs and heartbeat pings do.
 */
export const POLICIES = [
  'public',
  'session',
  'read',
  'run',
  'write',
  'admin',
  'owner',
  'operator',
  'runner',
  'token',
] as const
export type Policy = (typeof POLICIES)[number]

/** So many requests in so many seconds. */
export interface Rate {
  requests: number
  seconds: number
}

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
  /** How often one caller may call it, where that differs from the common limit. */
  rate?: Rate
  /** True where a person of several accounts need not say in which one they act. */
  anyAccount?: boolean
  /** True where the answer changes only with the configuration of the account: it is kept until then. */
  kept?: boolean
  /** The media type of the answer where it is not JSON; its schema is then a string. */
  media?: string
  params?: TObject
  query?: TObject
  body?: TSchema
  /** True where any text may come as the body, which is cut and never refused. */
  takesText?: boolean
  /** True where the body is a file, which the handler reads as it comes. */
  takesBytes?: boolean
  /** The body accepted from clients of older services (`CLIENT_COMPAT`), where that is less strict. */
  compatBody?: TSchema
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
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1 })),
}

/** Lists by cursor: `nextId` of the previous answer asks for the next page. */
export const CursorQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  nextId: Type.Optional(Type.String({ maxLength: 500, description: 'The cursor of the previous answer.' })),
}

export const CursorPage = <T extends TSchema>(entry: T) =>
  Type.Object({
    length: Type.Integer(),
    entries: Type.Array(entry),
    nextId: Type.Union([Type.String(), Type.Null()]),
  })

/** Seconds since 1970; milliseconds and ISO 8601 are understood too. */
export const InstantQuery = Type.Optional(
  Type.String({ maxLength: 40, description: 'UNIX seconds. Milliseconds and ISO 8601 timestamps are accepted too.' }),
)

export const BooleanQuery = Type.Optional(Type.Boolean())
