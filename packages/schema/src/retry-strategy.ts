/** Whether and when a failed attempt is tried again within its run. */
import Type, { type Static } from 'typebox'

export const RETRY_TYPES = ['FIXED', 'LINEAR', 'EXPONENTIAL', 'SINGLE_RETRY'] as const

export const RetryStrategy = Type.Object({
  type: Type.Enum(RETRY_TYPES),
  baseBackoffSeconds: Type.Optional(Type.Number({ minimum: 0, maximum: 86_400, default: 60 })),
  sameRegion: Type.Optional(Type.Boolean({ default: true })),
  maxRetries: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, default: 2 })),
  maxDurationSeconds: Type.Optional(Type.Number({ minimum: 0, maximum: 600, default: 600 })),
  onlyOn: Type.Optional(
    Type.Union([Type.Array(Type.Enum(['NETWORK_ERROR']), { minItems: 1, maxItems: 1 }), Type.Enum(['NETWORK_ERROR'])], {
      description: 'Retry only when no answer was received.',
    }),
  ),
})
export type RetryStrategy = Static<typeof RetryStrategy>
