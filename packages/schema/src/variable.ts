/** Variables of an account, which checks see in their requests and scripts. */
import Type, { type Static } from 'typebox'
import { Nullable } from './shape.ts'

const key = Type.String({
  pattern: '^[A-Za-z_][A-Za-z0-9_]{0,199}$',
  description: 'Letters, digits and underscores, not beginning with a digit. It cannot be changed.',
  examples: ['SHOP_TOKEN'],
})
const value = Type.String({ minLength: 1, maxLength: 65_536 })
const locked = Type.Boolean({ default: false, description: 'Hide the value from readers without write access.' })
const secret = Type.Boolean({
  default: false,
  description: 'Never show the value again. A variable that is secret stays so.',
})

export const Variable = Type.Object({
  key: Type.String(),
  value: Nullable(Type.String(), { description: 'Null for a secret.' }),
  locked: Type.Boolean(),
  secret: Type.Boolean(),
})
export type Variable = Static<typeof Variable>

export const VariableCreate = Type.Object({
  key,
  value,
  locked: Type.Optional(locked),
  secret: Type.Optional(secret),
})
export type VariableCreate = Static<typeof VariableCreate>

export const VariableUpdate = Type.Object({ value, locked: Type.Optional(locked), secret: Type.Optional(secret) })
export type VariableUpdate = Static<typeof VariableUpdate>
