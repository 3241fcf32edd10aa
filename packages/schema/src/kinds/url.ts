/** The URL check: the lean one. One GET, judged by its status and its time. */
import Type, { type Static } from 'typebox'
import { IpFamily, judgedBy, requestAnswer, requestFields, thresholds, thresholdsAnswer } from '../check.ts'
import { HttpVersion } from './api.ts'

export const UrlAssertion = Type.Object({
  source: Type.Enum(['STATUS_CODE']),
  comparison: Type.Enum(['EQUALS', 'NOT_EQUALS', 'LESS_THAN', 'GREATER_THAN']),
  property: Type.Optional(Type.String({ maxLength: 2048, default: '' })),
  target: Type.Optional(Type.Union([Type.String(), Type.Number()], { default: '' })),
  regex: Type.Optional(Type.Union([Type.String({ maxLength: 1024 }), Type.Null()], { default: '' })),
})

export const UrlRequest = Type.Object({
  method: Type.Optional(Type.Enum(['GET'], { default: 'GET' })),
  url: Type.String({ minLength: 1, maxLength: 2048 }),
  followRedirects: Type.Optional(Type.Boolean({ default: true })),
  skipSSL: Type.Optional(Type.Boolean({ default: false, description: 'Accept any certificate.' })),
  ipFamily: Type.Optional(IpFamily),
  httpVersion: Type.Optional(HttpVersion),
  assertions: Type.Optional(Type.Array(UrlAssertion, { maxItems: 1000, default: [] })),
})
export type UrlRequest = Static<typeof UrlRequest>

export const UrlCheckCreate = Type.Object({
  ...requestFields,
  request: UrlRequest,
  ...thresholds(3000, 5000, 30_000),
})
export type UrlCheckCreate = Static<typeof UrlCheckCreate>

/** Absent fields keep what is stored. */
export const UrlCheckUpdate = Type.Partial(UrlCheckCreate)

export const UrlCheck = Type.Object({
  ...requestAnswer,
  checkType: Type.Literal('URL'),
  request: UrlRequest,
  ...thresholdsAnswer,
})
export type UrlCheck = Static<typeof UrlCheck>

/** What a runner needs to execute a URL check. */
export const UrlSettings = Type.Object({ request: UrlRequest, ...judgedBy })
export type UrlSettings = Static<typeof UrlSettings>
