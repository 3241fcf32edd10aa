/** Accounts, the people and keys that act in them, and what each role may do. */
import Type, { type Static } from 'typebox'
import { AlertSettings } from './alert-settings.ts'
import { Uuid } from './shape.ts'

export const ROLES = ['OWNER', 'ADMIN', 'READ_WRITE', 'READ_RUN', 'READ_ONLY'] as const
export const Role = Type.Enum(ROLES)
export type Role = Static<typeof Role>

export const Account = Type.Object({
  id: Uuid,
  name: Type.String(),
  runtimeId: Type.String(),
  alertSettings: AlertSettings,
})
export type Account = Static<typeof Account>

/** Who is signed in to the web application. */
export const Me = Type.Object({
  user: Type.Object({ id: Uuid, name: Type.String() }),
  account: Account,
  role: Role,
})
export type Me = Static<typeof Me>

export const SetUpState = Type.Object({
  needed: Type.Boolean({ description: 'True until the first person has set a name and a password.' }),
})

export const SetUp = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 200, description: 'From the link printed at first start.' }),
  name: Type.String({ minLength: 1, maxLength: 100 }),
  password: Type.String({ minLength: 10, maxLength: 200 }),
})

export const SignIn = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  password: Type.String({ minLength: 1, maxLength: 200 }),
})
