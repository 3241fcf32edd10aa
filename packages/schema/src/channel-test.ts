/** What came of a sample message that was sent through a channel at once. */
import Type, { type Static } from 'typebox'
import { ALERT_TYPES } from './alert.ts'
import { Ms, Nullable } from './shape.ts'

/** Those that are told. */
export const TOLD_ALERT_TYPES = ALERT_TYPES.filter((type) => type !== 'NO_ALERT')

export const ChannelTestWish = Type.Object({
  alertType: Type.Optional(
    Type.Enum(TOLD_ALERT_TYPES, { default: 'ALERT_FAILURE', description: 'What the sample message tells.' }),
  ),
})
export type ChannelTestWish = Static<typeof ChannelTestWish>

const Headers = Type.Array(Type.Object({ name: Type.String(), value: Type.String() }))

export const ChannelTest = Type.Object({
  accepted: Type.Boolean({ description: 'Whether a notification would count as delivered.' }),
  retried: Type.Boolean({ description: 'Whether a notification would be tried again.' }),
  outcome: Type.String({ description: 'What the log of notifications would say.' }),
  request: Nullable(
    Type.Object({ method: Type.String(), url: Type.String(), headers: Headers, body: Nullable(Type.String()) }),
    { description: 'As it was sent, without its secrets; null when nothing was sent by HTTP.' },
  ),
  answer: Nullable(
    Type.Object({ status: Type.Integer(), headers: Headers, body: Type.String({ description: 'Its beginning.' }) }),
    { description: 'Null when there was none. Of the headers, those that tell something.' },
  ),
  duration: Ms,
})
export type ChannelTest = Static<typeof ChannelTest>
