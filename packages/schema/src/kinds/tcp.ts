/** The TCP check: connects, may send a text, and judges what comes back. */
import Type, { type Static } from 'typebox'
import { comparableAssertion } from '../assertion.ts'
import { IpFamily, requestAnswer, requestFields, thresholds, thresholdsAnswer } from '../check.ts'
import { Nullable } from '../shape.ts'

export const TCP_ASSERTION_SOURCES = ['RESPONSE_DATA', 'RESPONSE_TIME'] as const
export const TcpAssertion = comparableAssertion(TCP_ASSERTION_SOURCES, 'RESPONSE_DATA: a regular expression.')

const common = {
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  ipFamily: Type.Optional(IpFamily),
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
