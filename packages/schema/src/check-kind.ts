import Type, { type Static } from 'typebox'

/** Every kind of check that the API can name. */
export const CHECK_KINDS = [
  'API',
  'BROWSER',
  'HEARTBEAT',
  'MULTI_STEP',
  'TCP',
  'PLAYWRIGHT',
  'URL',
  'DNS',
  'GRPC',
  'ICMP',
  'SSL',
] as const
export const CheckKind = Type.Enum(CHECK_KINDS)
export type CheckKind = Static<typeof CheckKind>
