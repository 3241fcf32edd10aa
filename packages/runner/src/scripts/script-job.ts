/** What a script is given, and what it may say: checked by this schema before anything is believed. */
import { HTTP_METHODS } from '@vedette/schema'
import Type, { type Static } from 'typebox'

const Texts = Type.Record(Type.String(), Type.String())

export const ScriptRequest = Type.Object({
  method: Type.Enum(HTTP_METHODS),
  url: Type.String({ maxLength: 65_536 }),
  body: Type.String(),
  headers: Texts,
  queryParameters: Texts,
})
export type ScriptRequest = Static<typeof ScriptRequest>

export interface ScriptResponse {
  statusCode: number
  statusText: string
  body: string
  headers: Record<string, string>
  timings: Record<string, number>
  timingPhases: Record<string, number>
}

export interface ScriptJob {
  /** With the snippets that it includes written in. */
  script: string
  snippets: readonly { name: string; script: string }[]
  variables: Record<string, string>
  request: ScriptRequest
  /** Null before the request. */
  response: ScriptResponse | null
}

/** The first `done` or `failed` is the end. */
export const ScriptMessage = Type.Union([
  Type.Object({
    is: Type.Literal('log'),
    time: Type.Number(),
    level: Type.Enum(['DEBUG', 'INFO', 'WARN', 'ERROR']),
    msg: Type.String(),
  }),
  Type.Object({
    is: Type.Literal('done'),
    request: ScriptRequest,
    /** Of the response. */
    body: Type.Union([Type.String(), Type.Null()]),
    variables: Texts,
  }),
  Type.Object({ is: Type.Literal('failed'), message: Type.String() }),
])
export type ScriptMessage = Static<typeof ScriptMessage>
export type ScriptDone = Extract<ScriptMessage, { is: 'done' }>
