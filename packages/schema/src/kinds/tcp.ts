/**
 * The TCP check: connects, may send a text, and judges what comes back. A check that neither sends nor expects data is
 * content with the connection.
 */
import Type, { type Static } from 'typebox'
import { AssertionOutcome, comparableAssertion } from '../assertion.ts'
import {
  IP_FAMILIES,
  IpFamily,
  judgedBy,
  requestAnswer,
  requestFields,
  thresholds,
  thresholdsAnswer,
} from '../check.ts'
import type { Observation } from '../observation.ts'
import { Nullable } from '../shape.ts'

export const TCP_ASSERTION_SOURCES = ['RESPONSE_DATA', 'RESPONSE_TIME'] as const
export type TcpAssertionSource = (typeof TCP_ASSERTION_SOURCES)[number]
export const TcpAssertion = comparableAssertion(TCP_ASSERTION_SOURCES, 'RESPONSE_DATA: a regular expression.')
export type TcpAssertion = Static<typeof TcpAssertion>

const common = {
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  ipFamily: Type.Optional(IpFamily),
  tls: Type.Optional(Type.Boolean({ default: false, description: 'Shake hands for TLS before anything is sent.' })),
  skipSSL: Type.Optional(Type.Boolean({ default: false, description: 'Accept any certificate.' })),
  assertions: Type.Optional(Type.Array(TcpAssertion, { maxItems: 1000, default: [] })),
}
const hostname = Type.String({ minLength: 1, maxLength: 2048, description: 'A host name or an address.' })
const data = Nullable(Type.String({ maxLength: 65_536 }), { default: null, description: 'Sent after connecting.' })

export const TcpRequest = Type.Object({ hostname, data: Type.Optional(data), ...common })
export type TcpRequest = Static<typeof TcpRequest>

/** As clients may write it: two fields have a second name. */
export const TcpRequestWrite = Type.Object({
  hostname: Type.Optional(hostname),
  url: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description: 'Another name of hostname.' })),
  data: Type.Optional(Nullable(Type.String({ maxLength: 65_536 }), { description: 'Sent after connecting.' })),
  body: Type.Optional(Nullable(Type.String({ maxLength: 65_536 }), { description: 'Another name of data.' })),
  ...common,
})

const fields = { ...requestFields, ...thresholds(3000, 5000, 5000) }

/** What is kept of a TCP check. */
export const TcpCheckStored = Type.Object({ ...fields, request: TcpRequest })
export type TcpCheckStored = Static<typeof TcpCheckStored>

export const TcpCheckCreate = Type.Object({ ...fields, request: TcpRequestWrite })
export type TcpCheckCreate = Static<typeof TcpCheckCreate>

/** Absent fields keep what is stored. */
export const TcpCheckUpdate = Type.Partial(TcpCheckCreate)

export const TcpCheck = Type.Object({
  ...requestAnswer,
  checkType: Type.Literal('TCP'),
  request: TcpRequest,
  ...thresholdsAnswer,
})
export type TcpCheck = Static<typeof TcpCheck>

/** What a runner needs to execute a TCP check. */
export const TcpSettings = Type.Object({ request: TcpRequest, ...judgedBy })
export type TcpSettings = Static<typeof TcpSettings>

/** Durations in milliseconds. `connection` includes the TLS handshake; `data` lasts from sending to the last byte. */
export const TcpTimingPhases = Type.Object({
  dns: Type.Number(),
  connection: Type.Number(),
  data: Type.Number(),
  total: Type.Number(),
})
export type TcpTimingPhases = Static<typeof TcpTimingPhases>

export const TcpSentRequest = Type.Object({
  hostname: Type.String(),
  port: Type.Integer(),
  data: Nullable(Type.String()),
  ipFamily: Type.Enum(IP_FAMILIES),
  tls: Type.Boolean(),
})
export type TcpSentRequest = Static<typeof TcpSentRequest>

export const TcpCheckResult = Type.Object({
  assertions: Type.Array(AssertionOutcome),
  request: TcpSentRequest,
  response: Type.Object({
    data: Type.String({ description: 'Read as UTF-8; bytes that are none are replaced.' }),
    truncated: Type.Boolean({ description: 'More came than is read.' }),
    resolvedIp: Nullable(Type.String({ description: 'The address that was dialled.' })),
    timingPhases: Nullable(TcpTimingPhases),
    sameAs: Type.Optional(
      Nullable(Type.String(), {
        description:
          'Data is kept when it changes. This answer equalled that of the result named here, whose data is shown.',
      }),
    ),
    kept: Type.Optional(Type.Boolean({ description: 'False when the data of this passing run was not kept.' })),
  }),
  requestError: Nullable(Type.String()),
})
export type TcpCheckResult = Static<typeof TcpCheckResult>

/** A connection that was made, and what came over it. */
export interface TcpResponse {
  data: string
  truncated: boolean
  timingPhases: TcpTimingPhases
}

export interface TcpObservation extends Observation<TcpResponse> {
  /** Null where no address was found. */
  resolvedIp: string | null
}
