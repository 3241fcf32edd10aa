/** The gRPC check: asks a server how its services are, or calls a method and judges the answer. */
import Type, { type Static } from 'typebox'
import { AssertionOutcome, comparableAssertion } from '../assertion.ts'
import { IpFamily, judgedBy, requestAnswer, requestFields, thresholds, thresholdsAnswer } from '../check.ts'
import type { Observation } from '../observation.ts'
import { KeyValue, Nullable } from '../shape.ts'

export const GRPC_ASSERTION_SOURCES = [
  'RESPONSE_TIME',
  'GRPC_RESPONSE',
  'TEXT_BODY',
  'GRPC_METADATA',
  'GRPC_HEALTHCHECK_STATUS',
  'GRPC_STATUS_CODE',
] as const
export type GrpcAssertionSource = (typeof GRPC_ASSERTION_SOURCES)[number]
export const GrpcAssertion = comparableAssertion(
  GRPC_ASSERTION_SOURCES,
  'GRPC_RESPONSE: a JSONPath. TEXT_BODY: a regular expression. GRPC_METADATA: the name of a header or trailer.',
)

/** HEALTH asks the standard health service; BEHAVIOR calls a method. */
export const GRPC_MODES = ['HEALTH', 'BEHAVIOR'] as const
/** Where the shape of the messages comes from. */
export const GRPC_DEFINITIONS = ['REFLECTION', 'PROTO_FILE'] as const

/** In the order of their numbers. */
export const GRPC_STATUSES = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const

/** What a server says of a service of its own. */
export const GRPC_HEALTH = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'] as const
export type GrpcHealth = (typeof GRPC_HEALTH)[number]

const METHOD = '^/?[A-Za-z_][A-Za-z0-9_.]*/[A-Za-z_][A-Za-z0-9_]*$'

export const GrpcConfig = Type.Object({
  mode: Type.Optional(Type.Enum(GRPC_MODES, { default: 'HEALTH' })),
  tls: Type.Optional(Type.Boolean({ default: true, description: 'False: in the clear.' })),
  metadata: Type.Optional(Type.Array(KeyValue, { maxItems: 50, default: [], description: 'Sent with the call.' })),
  service: Type.Optional(
    Type.String({
      maxLength: 255,
      default: '',
      description: 'HEALTH: which service; empty means the server as a whole.',
    }),
  ),
  serviceDefinition: Type.Optional(
    Type.Enum(GRPC_DEFINITIONS, {
      default: 'REFLECTION',
      description: 'BEHAVIOR: ask the server for its message types, or read them from protoContent.',
    }),
  ),
  method: Type.Optional(
    Type.String({
      maxLength: 500,
      default: '',
      description: 'BEHAVIOR: which method, such as shop.Orders/Get.',
      examples: ['shop.Orders/Get'],
    }),
  ),
  protoContent: Type.Optional(
    Type.String({ maxLength: 262_144, default: '', description: 'PROTO_FILE: the text of the .proto file.' }),
  ),
  message: Type.Optional(
    Type.String({ maxLength: 262_144, default: '', description: 'BEHAVIOR: the request, as JSON.' }),
  ),
})
export type GrpcConfig = Static<typeof GrpcConfig>
export const isGrpcMethod = (name: string): boolean => new RegExp(METHOD).test(name)

export const GrpcRequest = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2048, description: 'A host name or an address.' }),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, default: 443 })),
  ipFamily: Type.Optional(IpFamily),
  skipSSL: Type.Optional(Type.Boolean({ default: false, description: 'Accept any certificate.' })),
  timeout: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 30, default: 10, description: 'Seconds until the call is given up.' }),
  ),
  grpcConfig: Type.Optional(GrpcConfig),
  assertions: Type.Optional(Type.Array(GrpcAssertion, { maxItems: 1000, default: [] })),
})
export type GrpcRequest = Static<typeof GrpcRequest>

export const GrpcCheckCreate = Type.Object({
  ...requestFields,
  request: GrpcRequest,
  ...thresholds(3000, 5000, 30_000),
})
export type GrpcCheckCreate = Static<typeof GrpcCheckCreate>

/** Absent fields keep what is stored. */
export const GrpcCheckUpdate = Type.Partial(GrpcCheckCreate)

export const GrpcCheck = Type.Object({
  ...requestAnswer,
  checkType: Type.Literal('GRPC'),
  request: GrpcRequest,
  ...thresholdsAnswer,
})
export type GrpcCheck = Static<typeof GrpcCheck>

/** What a runner needs to execute a gRPC check. */
export const GrpcSettings = Type.Object({ request: GrpcRequest, ...judgedBy })
export type GrpcSettings = Static<typeof GrpcSettings>

/** Milliseconds. `tcp` includes the TLS handshake; `firstByte` is from the call to its first header. */
export const GrpcTimingPhases = Type.Object({
  wait: Type.Number(),
  dns: Type.Number(),
  tcp: Type.Number(),
  firstByte: Type.Number(),
  download: Type.Number(),
  total: Type.Number(),
})

export const GrpcSentRequest = Type.Object({
  url: Type.String(),
  port: Type.Integer(),
  method: Type.String({ description: 'The path of the call.' }),
  metadata: Type.Record(Type.String(), Type.String()),
  message: Type.String({ description: 'As JSON.' }),
})
export type GrpcSentRequest = Static<typeof GrpcSentRequest>

export const GrpcResponse = Type.Object({
  resolvedIp: Nullable(Type.String()),
  statusMessage: Type.String(),
  /** Headers and trailers, lower-case names. */
  metadata: Type.Record(Type.String(), Type.String()),
  message: Type.String({ description: 'As JSON; empty when none came.' }),
  truncated: Type.Boolean(),
})

export const GrpcCheckResult = Type.Object({
  grpcStatusCode: Nullable(Type.Integer({ description: 'Null when no status came.' })),
  healthStatus: Nullable(Type.Enum(GRPC_HEALTH)),
  timingPhases: Nullable(GrpcTimingPhases),
  requestError: Nullable(Type.String()),
  request: GrpcSentRequest,
  assertions: Type.Array(AssertionOutcome),
  response: Nullable(GrpcResponse),
})
export type GrpcCheckResult = Static<typeof GrpcCheckResult>

/** How a call ended. */
export interface GrpcAnswer {
  status: number
  statusMessage: string
  health: GrpcHealth | null
  metadata: Record<string, string>
  /** As JSON; null when none came. */
  message: string | null
  truncated: boolean
  resolvedIp: string | null
  timingPhases: Static<typeof GrpcTimingPhases>
}

export interface GrpcObservation extends Observation<GrpcAnswer> {
  request: GrpcSentRequest
}
