/** Channels that reach a telephone: SMS writes, CALL reads aloud. */
import Type, { type Static } from 'typebox'
import { Label } from './label.ts'

export const PHONE_NUMBER = '^\\+[1-9][0-9]{1,14}$'

export const PhoneConfig = Type.Object({
  name: Type.Optional(Label('Whose number it is.')),
  number: Type.String({
    pattern: PHONE_NUMBER,
    examples: ['+351210000000'],
    description: 'E.164: a plus, then up to 15 digits without spaces.',
  }),
})
export type PhoneConfig = Static<typeof PhoneConfig>
