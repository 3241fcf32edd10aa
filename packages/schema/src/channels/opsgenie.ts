/** A channel that opens and closes alerts of Opsgenie. */
import Type, { type Static } from 'typebox'

export const OPSGENIE_REGIONS = ['EU', 'US'] as const
export const OPSGENIE_PRIORITIES = ['P1', 'P2', 'P3', 'P4', 'P5'] as const

export const OpsgenieConfig = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  apiKey: Type.String({ minLength: 1, maxLength: 1024, description: 'A secret.' }),
  region: Type.Enum(OPSGENIE_REGIONS),
  priority: Type.Enum(OPSGENIE_PRIORITIES),
})
export type OpsgenieConfig = Static<typeof OpsgenieConfig>
