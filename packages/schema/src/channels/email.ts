/** A channel that sends mail to one address. */
import Type, { type Static } from 'typebox'

export const EmailConfig = Type.Object({
  address: Type.String({ format: 'email', maxLength: 254, description: 'One e-mail address.' }),
})
export type EmailConfig = Static<typeof EmailConfig>
