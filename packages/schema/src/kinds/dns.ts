/** The DNS check: asks a name server and judges the answer. */
import Type, { type Static } from 'typebox'
import { AssertionOutcome, comparableAssertion } from '../assertion.ts'
import { judgedBy, requestAnswer, requestFields, thresholds, thresholdsAnswer } from '../check.ts'
import type { Observation } from '../observation.ts'
import { Nullable, NumericId, VariableItem } from '../shape.ts'

export const DNS_RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA', 'HTTPS', 'SRV', 'CAA', 'PTR'] as const
export type DnsRecordType = (typeof DNS_RECORD_TYPES)[number]
export const DNS_PROTOCOLS = ['UDP', 'TCP', 'DOT', 'DOH'] as const
export type DnsProtocol = (typeof DNS_PROTOCOLS)[number]
/** Those that only a name server of one's own is asked by. */
export const ENCRYPTED_DNS_PROTOCOLS = ['DOT', 'DOH'] as const satisfies readonly DnsProtocol[]
export const DNS_ASSERTION_SOURCES = ['RESPONSE_TIME', 'RESPONSE_CODE', 'TEXT_ANSWER', 'JSON_ANSWER'] as const
export type DnsAssertionSource = (typeof DNS_ASSERTION_SOURCES)[number]
export const DnsAssertion = comparableAssertion(
  DNS_ASSERTION_SOURCES,
  'TEXT_ANSWER: a regular expression. JSON_ANSWER: a JSONPath.',
)

export const DnsRequest = Type.Object({
  query: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The name to look up. With record type PTR also an address.',
  }),
  nameServer: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Whom to ask; given together with port. Left out: the name servers of the runner.',
    }),
  ),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  recordType: Type.Enum(DNS_RECORD_TYPES),
  protocol: Type.Optional(
    Type.Enum(DNS_PROTOCOLS, {
      description:
        'Left out: UDP, and TCP once more when the answer was cut. Given: that one only. DOT (over TLS) and DOH (over HTTPS) need a nameServer.',
    }),
  ),
  path: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'DOH: where questions are put; /dns-query when left out.',
    }),
  ),
  skipSSL: Type.Optional(Type.Boolean({ description: 'DOT and DOH: accept any certificate. Not so when left out.' })),
  assertions: Type.Optional(Type.Array(DnsAssertion, { maxItems: 1000, default: [] })),
})
export type DnsRequest = Static<typeof DnsRequest>

const fields = { ...requestFields, request: DnsRequest, ...thresholds(500, 1000, 5000) }

/** What is kept of a DNS check. */
export const DnsCheckStored = Type.Object(fields)
export type DnsCheckStored = Static<typeof DnsCheckStored>

const UNUSED = 'Accepted, and not used by this kind.'
const unused = {
  scriptPath: Type.Optional(Nullable(Type.String({ maxLength: 1000 }), { description: UNUSED })),
  sslCheckDomain: Type.Optional(Nullable(Type.String({ maxLength: 255 }), { description: UNUSED })),
  environmentVariables: Type.Optional(Nullable(Type.Array(VariableItem, { maxItems: 50 }), { description: UNUSED })),
  setupSnippetId: Type.Optional(Nullable(NumericId, { description: UNUSED })),
  tearDownSnippetId: Type.Optional(Nullable(NumericId, { description: UNUSED })),
  localSetupScript: Type.Optional(Nullable(Type.String(), { description: UNUSED })),
  localTearDownScript: Type.Optional(Nullable(Type.String(), { description: UNUSED })),
}
const heartbeat = Type.Object({}, { description: 'An empty object will do: this kind does not use it.' })
const script = Type.String({ description: 'An empty text will do: this kind does not use it.' })

export const DnsCheckCreate = Type.Object({ ...fields, ...unused, heartbeat, script })
export type DnsCheckCreate = Static<typeof DnsCheckCreate>

/** From clients that leave out what this kind does not use. */
export const DnsCheckCreateCompat = Type.Object({
  ...fields,
  ...unused,
  heartbeat: Type.Optional(Nullable(heartbeat)),
  script: Type.Optional(Nullable(script)),
})

/** Absent fields keep what is stored. */
export const DnsCheckPartial = Type.Object({ ...Type.Partial(DnsCheckStored).properties, ...unused })

/** The operation of the kind wants the name. */
export const DnsCheckUpdate = Type.Object({ ...DnsCheckPartial.properties, name: fields.name })

export const DnsCheck = Type.Object({
  ...requestAnswer,
  checkType: Type.Literal('DNS'),
  request: DnsRequest,
  ...thresholdsAnswer,
})
export type DnsCheck = Static<typeof DnsCheck>

/** What a runner needs to execute a DNS check. */
export const DnsSettings = Type.Object({ request: DnsRequest, ...judgedBy })
export type DnsSettings = Static<typeof DnsSettings>

export const DnsAnswerRecord = Type.Object({
  name: Type.String(),
  type: Type.String(),
  TTL: Type.Integer(),
  data: Type.String({ description: 'As in a zone file; a TXT stands without quotes. Names end with a dot.' }),
})
export type DnsAnswerRecord = Static<typeof DnsAnswerRecord>

/** The answer as JSON: what JSON_ANSWER looks into. */
export const DnsJsonAnswer = Type.Object({
  Status: Type.String({ description: 'The response code by name.' }),
  TC: Type.Boolean({ description: 'It was cut.' }),
  RD: Type.Boolean(),
  RA: Type.Boolean({ description: 'The name server looks up what it does not know.' }),
  AD: Type.Boolean({ description: 'The name server has checked the signatures (DNSSEC).' }),
  CD: Type.Boolean(),
  AA: Type.Boolean({ description: 'The name server is responsible for the name.' }),
  RRSIG: Type.Boolean({ description: 'The answer is signed (DNSSEC). The signatures themselves are left out.' }),
  Question: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
  Answer: Type.Array(DnsAnswerRecord),
  Authority: Type.Array(DnsAnswerRecord),
})
export type DnsJsonAnswer = Static<typeof DnsJsonAnswer>

export const DnsSentRequest = Type.Object({
  query: Type.String(),
  recordType: Type.Enum(DNS_RECORD_TYPES),
  nameServer: Nullable(Type.String({ description: 'Who was asked: as written in the check, or the address.' })),
  port: Nullable(Type.Integer()),
  protocol: Type.Enum(DNS_PROTOCOLS, { description: 'By which the answer came.' }),
})
export type DnsSentRequest = Static<typeof DnsSentRequest>

export const DnsAnswer = Type.Object({
  status: Type.String({ description: 'The response code by name; empty when no answer came.' }),
  text: Type.String({ description: 'The answer as dig would write it, without its number and times.' }),
  json: Nullable(DnsJsonAnswer),
  truncated: Type.Optional(Type.Boolean({ description: 'Text and records are longer than what is kept.' })),
  timingPhases: Nullable(Type.Object({ total: Type.Number() })),
  sameAs: Type.Optional(
    Nullable(Type.String(), { description: 'This answer equalled that of the result named here, which is shown.' }),
  ),
  kept: Type.Optional(Type.Boolean({ description: 'False when the answer of this passing run was not kept.' })),
})

export const DnsCheckResult = Type.Object({
  assertions: Type.Array(AssertionOutcome),
  request: DnsSentRequest,
  response: DnsAnswer,
  requestError: Nullable(Type.String()),
  jobLog: Type.Null(),
  jobAssets: Type.Null(),
  pcapDataUrl: Type.Null(),
})
export type DnsCheckResult = Static<typeof DnsCheckResult>

/** The answer of a name server, whatever its code. */
export interface DnsResponse {
  status: string
  text: string
  json: DnsJsonAnswer
}

/** What the probe of DNS checks saw. */
export interface DnsObservation extends Observation<DnsResponse> {
  request: DnsSentRequest
}
