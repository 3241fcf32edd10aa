/** The API check: one HTTP request, judged by its status, its time and assertions on the answer. */
import Type, { type Static } from 'typebox'
import { ApiAssertion, AssertionOutcome } from '../assertion.ts'
import { IpFamily, judgedBy, requestAnswer, requestFields, thresholds, thresholdsAnswer } from '../check.ts'
import type { Observation } from '../observation.ts'
import { KeyValue, Nullable, NumericId } from '../shape.ts'
import { type SeenCertificate, TlsDetails } from '../tls.ts'

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'HEAD', 'DELETE', 'PATCH'] as const
export const BODY_TYPES = ['JSON', 'FORM', 'RAW', 'GRAPHQL', 'NONE'] as const

/** What a request may ask for, and `auto`: the newest that the server offers. */
export const HTTP_VERSIONS = ['HTTP/1.1', 'HTTP/2', 'auto'] as const
export const HttpVersion = Type.Enum(HTTP_VERSIONS, {
  default: 'HTTP/1.1',
  description:
    'The protocol to speak. HTTP/2 is agreed on in the TLS handshake: with `HTTP/2` a server that does not offer it fails the check, with `auto` it is spoken where it is offered.',
})
export type HttpVersion = (typeof HTTP_VERSIONS)[number]

export const ApiRequest = Type.Object({
  method: Type.Enum(HTTP_METHODS, { default: 'GET' }),
  url: Type.String({ minLength: 1, maxLength: 2048 }),
  followRedirects: Type.Optional(Type.Boolean({ default: true })),
  skipSSL: Type.Optional(Type.Boolean({ default: false, description: 'Accept any certificate.' })),
  ipFamily: Type.Optional(IpFamily),
  httpVersion: Type.Optional(HttpVersion),
  body: Type.Optional(Type.String({ default: '' })),
  bodyType: Type.Optional(Type.Enum(BODY_TYPES, { default: 'NONE' })),
  headers: Type.Optional(Type.Array(KeyValue, { maxItems: 1000, default: [] })),
  queryParameters: Type.Optional(Type.Array(KeyValue, { maxItems: 1000, default: [] })),
  assertions: Type.Optional(Type.Array(ApiAssertion, { maxItems: 1000, default: [] })),
  basicAuth: Type.Optional(
    Nullable(Type.Object({ username: Type.String({ default: '' }), password: Type.String({ default: '' }) }), {
      default: null,
      description: 'Both empty means none.',
    }),
  ),
})
export type ApiRequest = Static<typeof ApiRequest>

const scriptsAround = {
  setupSnippetId: Type.Optional(Nullable(NumericId, { default: null })),
  tearDownSnippetId: Type.Optional(Nullable(NumericId, { default: null })),
  localSetupScript: Type.Optional(Nullable(Type.String({ maxLength: 262_144 }), { default: null })),
  localTearDownScript: Type.Optional(Nullable(Type.String({ maxLength: 262_144 }), { default: null })),
}

export const ApiCheckCreate = Type.Object({
  ...requestFields,
  request: ApiRequest,
  ...thresholds(5000, 20_000, 30_000),
  ...scriptsAround,
})
export type ApiCheckCreate = Static<typeof ApiCheckCreate>

/** Absent fields keep what is stored. */
export const ApiCheckUpdate = Type.Partial(ApiCheckCreate)
export type ApiCheckUpdate = Static<typeof ApiCheckUpdate>

export const ApiCheck = Type.Object({
  ...requestAnswer,
  checkType: Type.Literal('API'),
  request: ApiRequest,
  ...thresholdsAnswer,
  setupSnippetId: Nullable(Type.Integer()),
  tearDownSnippetId: Nullable(Type.Integer()),
  localSetupScript: Nullable(Type.String()),
  localTearDownScript: Nullable(Type.String()),
})
export type ApiCheck = Static<typeof ApiCheck>

/** What a runner needs to execute an API check: nothing about alerts or schedules. */
export const ApiSettings = Type.Object({ request: ApiRequest, ...judgedBy })
export type ApiSettings = Static<typeof ApiSettings>

/** Durations in milliseconds. `tcp` includes the TLS handshake; `total` is the whole of the last hop's chain. */
export const ApiTimingPhases = Type.Object({
  wait: Type.Number(),
  dns: Type.Number(),
  tcp: Type.Number(),
  firstByte: Type.Number(),
  download: Type.Number(),
  total: Type.Number(),
})
export type ApiTimingPhases = Static<typeof ApiTimingPhases>

/** Milliseconds since the start of the request, cumulative. */
export const ApiTimings = Type.Object({
  socket: Type.Number(),
  lookup: Type.Number(),
  connect: Type.Number(),
  response: Type.Number(),
  end: Type.Number(),
})

export const SPOKEN_VERSIONS = ['HTTP/1.0', 'HTTP/1.1', 'HTTP/2'] as const
export type SpokenVersion = (typeof SPOKEN_VERSIONS)[number]

export const ApiResponse = Type.Object({
  status: Type.Integer({ description: '0 when no answer came.' }),
  httpVersion: Type.Optional(Nullable(Type.Enum(SPOKEN_VERSIONS), { description: 'The protocol that was spoken.' })),
  statusText: Type.String(),
  href: Type.Optional(Nullable(Type.String({ description: 'The address that answered, after redirects.' }))),
  headers: Nullable(Type.Record(Type.String(), Type.String())),
  body: Type.String(),
  truncated: Type.Optional(Type.Boolean()),
  timings: Nullable(ApiTimings),
  timingPhases: Nullable(ApiTimingPhases),
  sameAs: Type.Optional(
    Nullable(Type.String(), {
      description:
        'Bodies are kept when they change. This answer equalled that of the result named here, whose headers and body are shown.',
    }),
  ),
  kept: Type.Optional(Type.Boolean({ description: 'False when body and headers of this passing run were not kept.' })),
  tls: Type.Optional(
    Nullable(TlsDetails, {
      description:
        'What the last TLS handshake showed, whether an answer followed or not. Null without TLS, and where no handshake was completed.',
    }),
  ),
})
export type ApiResponse = Static<typeof ApiResponse>

export const LogEntry = Type.Object({ time: Type.Number(), msg: Type.String(), level: Type.String() })
export type LogEntry = Static<typeof LogEntry>

/** What scripts said, by phase: `setup`, `request`, `teardown`. */
export type JobLog = Record<string, LogEntry[]>

export const ApiSentRequest = Type.Object({
  method: Type.String(),
  url: Type.String(),
  data: Type.String(),
  headers: Type.Record(Type.String(), Type.String()),
  params: Type.Record(Type.String(), Type.String()),
})
export type ApiSentRequest = Static<typeof ApiSentRequest>

export const ApiCheckResult = Type.Object({
  assertions: Type.Array(AssertionOutcome),
  request: ApiSentRequest,
  response: ApiResponse,
  requestError: Nullable(Type.String()),
  jobLog: Nullable(Type.Record(Type.String(), Type.Array(LogEntry))),
  jobAssets: Nullable(Type.Array(Type.String())),
  pcapDataUrl: Nullable(Type.String()),
})
export type ApiCheckResult = Static<typeof ApiCheckResult>

/** The last answer to a request, after redirects. */
export interface HttpResponse {
  status: number
  httpVersion: SpokenVersion
  statusText: string
  href: string
  /** Lower-case names; repeated fields joined with ", ". */
  headers: Record<string, string>
  /** Decoded text, at most the read limit. */
  body: string
  truncated: boolean
  timings: Static<typeof ApiTimings>
  timingPhases: ApiTimingPhases
}

/** What the probes of API and URL checks saw. */
export interface HttpObservation extends Observation<HttpResponse> {
  request: ApiSentRequest
  /** Of the last hop; null without TLS and where no handshake was completed. */
  tls: TlsDetails | null
  /** Of the host that the address names, whatever other hosts came after it. */
  certificate: SeenCertificate | null
  /** Why a script after the request broke: that fails the check, whatever the answer was. */
  scriptError?: string
  /** Absent where no scripts are run. */
  jobLog?: JobLog
}
