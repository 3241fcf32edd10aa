/** The DNS check: asks a name server and judges the answer. */
import Type, { type Static } from 'typebox'
import { comparableAssertion } from '../assertion.ts'
import { requestAnswer, requestFields, thresholds, thresholdsAnswer } from '../check.ts'
import { Nullable, NumericId, VariableItem } from '../shape.ts'

export const DNS_RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA', 'HTTPS', 'SRV', 'CAA', 'PTR'] as const
export const DNS_PROTOCOLS = ['UDP', 'TCP'] as const
export const DNS_ASSERTION_SOURCES = ['RESPONSE_TIME', 'RESPONSE_CODE', 'TEXT_ANSWER', 'JSON_ANSWER'] as const
export const DnsAssertion = comparableAssertion(
  DNS_ASSERTION_SOURCES,
  'TEXT_ANSWER: a regular expression. JSON_ANSWER: a JSONPath.',
)

export const DnsRequest = Type.Object({
  query: Type.String({ minLength: 1, maxLength: 100, description: 'The name to look up.' }),
  nameServer: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Whom to ask; given together with port.' }),
  ),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  recordType: Type.Enum(DNS_RECORD_TYPES),
  protocol: Type.Optional(Type.Enum(DNS_PROTOCOLS, { default: 'UDP' })),
  assertions: Type.Optional(Type.Array(DnsAssertion, { maxItems: 1000, default: [] })),
})

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
