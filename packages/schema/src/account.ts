/** Accounts, the people and keys that act in them, and what each role may do. */
import Type, { type Static } from 'typebox'
import { AlertSettings } from './alert-settings.ts'
import { RUNTIMES } from './runtime.ts'
import { DateTime, Nullable, Uuid } from './shape.ts'

export const ROLES = ['OWNER', 'ADMIN', 'READ_WRITE', 'READ_RUN', 'READ_ONLY'] as const
export const Role = Type.Enum(ROLES)
export type Role = Static<typeof Role>

/** Every role but the owner's, which is handed over and never given. */
export const GRANTABLE_ROLES = ['ADMIN', 'READ_WRITE', 'READ_RUN', 'READ_ONLY'] as const
export const GrantableRole = Type.Enum(GRANTABLE_ROLES)
export type GrantableRole = Static<typeof GrantableRole>

export const AccountSettings = Type.Object(
  {
    allowBadges: Type.Boolean({ default: true, description: 'Whether anyone who knows its id may see a badge.' }),
  },
  { description: 'Further keys are kept as they are.' },
)
export type AccountSettings = Static<typeof AccountSettings>

export const DEFAULT_ACCOUNT_SETTINGS: AccountSettings = { allowBadges: true }

export const Account = Type.Object({
  id: Uuid,
  name: Type.String(),
  runtimeId: Type.String(),
  settings: AccountSettings,
  alertSettings: AlertSettings,
})
export type Account = Static<typeof Account>

const AccountName = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })

export const AccountUpdate = Type.Object({
  name: Type.Optional(AccountName),
  runtimeId: Type.Optional(Type.Enum(RUNTIMES)),
  settings: Type.Optional(Type.Partial(AccountSettings, { description: 'Keys that are absent stay as they are.' })),
  alertSettings: Type.Optional(AlertSettings),
})
export type AccountUpdate = Static<typeof AccountUpdate>

export const AccountCreate = Type.Object({
  name: AccountName,
  runtimeId: Type.Optional(Type.Enum(RUNTIMES)),
  settings: Type.Optional(Type.Partial(AccountSettings)),
  alertSettings: Type.Optional(AlertSettings),
  ownerId: Type.Optional(
    Nullable(Uuid, { description: 'A person of this installation. Without one, the answer brings an invitation.' }),
  ),
})
export type AccountCreate = Static<typeof AccountCreate>

/** What an account may use. Nothing is sold here: all of it. */
export const Entitlements = Type.Object({
  plan: Type.String(),
  planDisplayName: Type.String(),
  addons: Type.Array(Type.String()),
  locations: Type.Array(Type.String()),
  entitlements: Type.Array(
    Type.Object({
      key: Type.String(),
      name: Type.String(),
      description: Type.String(),
      type: Type.Enum(['flag', 'metered']),
      enabled: Type.Boolean(),
    }),
  ),
})
export type Entitlements = Static<typeof Entitlements>

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

const PersonName = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })
const NewPassword = Type.String({ minLength: 10, maxLength: 200 })
const Token = Type.String({ minLength: 1, maxLength: 200 })

export const SetUp = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 200, description: 'From the link printed at first start.' }),
  name: PersonName,
  password: NewPassword,
})

export const SignIn = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  password: Type.String({ minLength: 1, maxLength: 200 }),
})

export const PasswordChange = Type.Object({
  currentPassword: Type.String({ minLength: 1, maxLength: 200 }),
  newPassword: NewPassword,
})

export const Member = Type.Object({
  type: Type.Enum(['member']),
  accountId: Uuid,
  userId: Uuid,
  name: Type.String(),
  email: Nullable(Type.String()),
  role: Role,
  status: Type.Enum(['ACTIVE']),
  isSupportMembership: Type.Boolean(),
  ssoEnabled: Type.Boolean(),
  mfaEnabled: Type.Boolean(),
  createdAt: DateTime,
  updatedAt: Nullable(DateTime),
})
export type Member = Static<typeof Member>

/** Somebody who was asked to join and has not done so yet. */
export const Invitation = Type.Object({
  type: Type.Enum(['invite']),
  id: Uuid,
  accountId: Uuid,
  email: Nullable(Type.String()),
  role: Role,
  status: Type.Enum(['PENDING', 'EXPIRED']),
  inviterName: Nullable(Type.String()),
  inviterEmail: Nullable(Type.String()),
  createdAt: DateTime,
  updatedAt: Nullable(DateTime),
  expiresAt: DateTime,
})
export type Invitation = Static<typeof Invitation>

export const InvitationCreate = Type.Object({
  role: GrantableRole,
  email: Type.Optional(
    Nullable(Type.String({ format: 'email', maxLength: 320 }), {
      description: 'Tells invitations apart. Nothing is sent there: hand the token over yourself.',
    }),
  ),
})
export type InvitationCreate = Static<typeof InvitationCreate>

/** With its token, in the answer that creates it and never again. */
export const NewInvitation = Type.Intersect([Invitation, Type.Object({ token: Type.String() })])
export type NewInvitation = Static<typeof NewInvitation>

export const NewAccount = Type.Intersect([Account, Type.Object({ invitation: Nullable(NewInvitation) })])
export type NewAccount = Static<typeof NewAccount>

/** What an invitation tells whoever holds its token. */
export const InvitationView = Type.Object({ accountName: Type.String(), role: Role, expiresAt: DateTime })
export const InvitationToken = Type.Object({ token: Token })
export const InvitationAcceptance = Type.Object({ token: Token, name: PersonName, password: NewPassword })

/** A key as it is listed. A role is that of the key; without one it acts with its person's. */
export const ApiKey = Type.Object({
  id: Uuid,
  name: Type.String(),
  role: Nullable(Role),
  maskedKey: Type.String({ description: 'Its last characters.' }),
  lastUsedAt: Nullable(DateTime),
  created_at: DateTime,
})
export type ApiKey = Static<typeof ApiKey>

/** With the key itself, in the answer that creates it and never again. */
export const NewApiKey = Type.Intersect([ApiKey, Type.Object({ rawKey: Type.String() })])

const KeyName = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })
export const ApiKeyCreate = Type.Object({ name: KeyName })
export const ServiceKeyCreate = Type.Object({ name: KeyName, role: GrantableRole })
