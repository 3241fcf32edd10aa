/** A channel that opens and resolves incidents of PagerDuty. */
import Type, { type Static } from 'typebox'
import { Label } from './label.ts'

export const PagerdutyConfig = Type.Object({
  account: Type.Optional(Label('Of PagerDuty, for people to read.')),
  serviceName: Type.Optional(Label('Of PagerDuty, for people to read.')),
  serviceKey: Type.String({ minLength: 1, maxLength: 1024, description: 'The integration key; a secret.' }),
})
export type PagerdutyConfig = Static<typeof PagerdutyConfig>
