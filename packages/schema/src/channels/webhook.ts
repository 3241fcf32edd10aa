/** A channel that calls a URL of the user's with a body made from a template. */
import Type, { type Static } from 'typebox'
import { HTTP_METHODS } from '../kinds/api.ts'
import { KeyValue, Nullable } from '../shape.ts'

export const WebhookConfig = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  webhookType: Type.Optional(Nullable(Type.String({ maxLength: 100 }), { default: null })),
  url: Type.String({ minLength: 1, maxLength: 2048, description: 'May hold templates.' }),
  method: Type.Optional(Nullable(Type.Enum(HTTP_METHODS), { default: 'POST' })),
  template: Type.Optional(
    Nullable(Type.String({ maxLength: 65_536 }), {
      default: null,
      description: 'The body; the default is a JSON object.',
    }),
  ),
  headers: Type.Optional(Type.Array(KeyValue, { maxItems: 1000, default: [] })),
  queryParameters: Type.Optional(Type.Array(KeyValue, { maxItems: 1000, default: [] })),
  webhookSecret: Type.Optional(
    Nullable(Type.String({ maxLength: 1024 }), {
      default: null,
      description: 'Signs the body: HMAC-SHA256, in hexadecimal.',
    }),
  ),
})
export type WebhookConfig = Static<typeof WebhookConfig>
