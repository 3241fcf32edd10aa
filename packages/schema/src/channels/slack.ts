/** A channel that posts to an incoming webhook of Slack, or of a chat that understands the same messages. */
import Type, { type Static } from 'typebox'
import { Label } from './label.ts'

export const SlackConfig = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2048, description: 'Of the incoming webhook; a secret.' }),
  channel: Type.Optional(Label('Such as `#operations`; the webhook’s own when empty.')),
})
export type SlackConfig = Static<typeof SlackConfig>
