/** The ICMP check: pings a host several times, judged by how many pings are lost and how long the others take. */
import Type, { type Static } from 'typebox'
import { AssertionOutcome, comparableAssertion } from '../assertion.ts'
import { IP_FAMILIES, IpFamily, judgedBy, requestAnswer, requestFields } from '../check.ts'
import type { Observation } from '../observation.ts'
import { Nullable } from '../shape.ts'

export const ICMP_ASSERTION_SOURCES = ['LATENCY', 'JSON_RESPONSE'] as const
export type IcmpAssertionSource = (typeof ICMP_ASSERTION_SOURCES)[number]
/** What a LATENCY assertion may name; without a name it is the average. */
export const LATENCIES = ['avg', 'min', 'max', 'stdDev'] as const
export const IcmpAssertion = comparableAssertion(
  ICMP_ASSERTION_SOURCES,
  'LATENCY: avg, min, max or stdDev. JSON_RESPONSE: a JSONPath.',
)
export type IcmpAssertion = Static<typeof IcmpAssertion>

export const IcmpRequest = Type.Object({
  hostname: Type.String({ minLength: 1, maxLength: 2048, description: 'A host name or an address.' }),
  ipFamily: Type.Optional(IpFamily),
  pingCount: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 50, default: 10, description: 'How many pings are sent, five a second.' }),
  ),
  assertions: Type.Optional(Type.Array(IcmpAssertion, { maxItems: 1000, default: [] })),
})
export type IcmpRequest = Static<typeof IcmpRequest>

const lossThreshold = (defaultPercent: number, description: string) =>
  Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 100,
      default: defaultPercent,
      description: `${description} Percent of the pings.`,
    }),
  )

export const IcmpCheckCreate = Type.Object({
  ...requestFields,
  request: IcmpRequest,
  degradedPacketLossThreshold: lossThreshold(10, 'More loss than this counts as degraded.'),
  maxPacketLossThreshold: lossThreshold(20, 'More loss than this counts as failing.'),
})
export type IcmpCheckCreate = Static<typeof IcmpCheckCreate>

/** Absent fields keep what is stored. */
export const IcmpCheckUpdate = Type.Partial(IcmpCheckCreate)

const lossAnswer = { degradedPacketLossThreshold: Type.Number(), maxPacketLossThreshold: Type.Number() }

export const IcmpCheck = Type.Object({
  ...requestAnswer,
  checkType: Type.Literal('ICMP'),
  request: IcmpRequest,
  ...lossAnswer,
})
export type IcmpCheck = Static<typeof IcmpCheck>

/** What a runner needs to execute an ICMP check. Its times are judged by assertions only. */
export const IcmpSettings = Type.Object({ request: IcmpRequest, ...judgedBy, ...lossAnswer })
export type IcmpSettings = Static<typeof IcmpSettings>

export const IcmpLatency = Type.Object(
  { min: Type.Number(), avg: Type.Number(), max: Type.Number(), stdDev: Type.Number() },
  { description: 'Milliseconds.' },
)
export type IcmpLatency = Static<typeof IcmpLatency>

const pings = {
  packetsSent: Type.Integer(),
  packetsReceived: Type.Integer(),
  packetLoss: Type.Number({ description: 'Percent.' }),
  latency: Nullable(IcmpLatency, { description: 'Null when nothing came back.' }),
}
const times = Type.Array(Nullable(Type.Number()), { description: 'Milliseconds, in the order of sending; null: lost.' })
/** What became of the pings of one run. */
export const IcmpPings = Type.Object({ ...pings, times })
export type IcmpPings = Static<typeof IcmpPings>

export const IcmpCheckResult = Type.Object({
  assertions: Type.Array(AssertionOutcome),
  request: Type.Object({
    hostname: Type.String(),
    ipFamily: Type.Enum(IP_FAMILIES),
    pingCount: Type.Integer(),
  }),
  response: Type.Object({
    resolvedIp: Nullable(Type.String({ description: 'The address that was pinged.' })),
    packetsSent: Type.Integer(),
    packetsReceived: Type.Integer(),
    packetsLost: Type.Integer(),
    packetLoss: Nullable(pings.packetLoss, { description: 'Percent; null when no ping was sent.' }),
    latency: pings.latency,
    times: Nullable(times, { description: 'Null: not kept of this run.' }),
  }),
  requestError: Nullable(Type.String()),
})
export type IcmpCheckResult = Static<typeof IcmpCheckResult>

/** Pings that all were lost are a failure, and told of all the same. */
export interface IcmpObservation extends Observation<IcmpPings> {
  resolvedIp: string | null
  /** Null when none was sent. */
  pings: IcmpPings | null
}
