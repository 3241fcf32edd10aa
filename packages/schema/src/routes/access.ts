import Type from 'typebox'
import {
  Account,
  AccountCreate,
  AccountUpdate,
  ApiKey,
  ApiKeyCreate,
  Entitlements,
  GrantableRole,
  Invitation,
  InvitationAcceptance,
  InvitationCreate,
  InvitationToken,
  InvitationView,
  Me,
  Member,
  NewAccount,
  NewApiKey,
  NewInvitation,
  PasswordChange,
  ROLES,
  ServiceKeyCreate,
  SetUp,
  SetUpState,
  SignIn,
} from '../account.ts'
import { CursorQuery, route } from '../route.ts'
import { Nullable, Uuid } from '../shape.ts'

const tag = 'Access'
const accounts = 'Accounts'
const members = 'Members'

/** The account of a path: its id, or `me` for the account of the request. */
const accountId = Type.String({
  pattern: '^(me|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$',
  description: 'The id of an account, or `me`.',
})

export const getSetUpState = route({
  method: 'GET',
  path: '/web/set-up',
  policy: 'public',
  tag,
  summary: 'Whether the installation awaits its first person',
  answers: { 200: SetUpState },
})

export const setUp = route({
  method: 'POST',
  path: '/web/set-up',
  policy: 'public',
  tag,
  summary: 'Set the first person’s name and password, and sign in',
  body: SetUp,
  answers: { 201: Me },
  refusals: { 403: 'The token is wrong or used.', 409: 'Somebody has that name.' },
})

export const signIn = route({
  method: 'POST',
  path: '/web/sign-in',
  policy: 'public',
  tag,
  summary: 'Sign in with name and password; answers a session cookie',
  body: SignIn,
  answers: { 200: Me },
  refusals: { 401: 'Name or password is wrong.' },
})

export const signOut = route({
  method: 'POST',
  path: '/web/sign-out',
  policy: 'session',
  tag,
  summary: 'End the session',
  answers: { 204: null },
})

export const getMe = route({
  method: 'GET',
  path: '/web/me',
  policy: 'session',
  tag,
  summary: 'Who is signed in',
  answers: { 200: Me },
})

export const switchAccount = route({
  method: 'PUT',
  path: '/web/account',
  policy: 'session',
  tag,
  summary: 'Choose the account that the session acts in',
  body: Type.Object({ accountId: Uuid }),
  answers: { 200: Me },
  refusals: { 404: 'The person belongs to no such account.' },
})

export const changePassword = route({
  method: 'PUT',
  path: '/web/password',
  policy: 'session',
  tag,
  summary: 'Change one’s password; all other sessions of the person end',
  body: PasswordChange,
  answers: { 204: null },
  refusals: { 403: 'The current password is wrong.' },
})

export const listApiKeys = route({
  method: 'GET',
  path: '/web/api-keys',
  policy: 'session',
  tag,
  summary: 'List one’s own API keys',
  answers: { 200: Type.Array(ApiKey) },
})

/** An API key made in the web application; shown once. */
export const createApiKey = route({
  method: 'POST',
  path: '/web/api-keys',
  policy: 'session',
  tag,
  summary: 'Create an API key that acts as the person signed in',
  body: ApiKeyCreate,
  answers: { 201: NewApiKey },
})

export const deleteApiKey = route({
  method: 'DELETE',
  path: '/web/api-keys/{id}',
  policy: 'session',
  tag,
  summary: 'Delete one of one’s own API keys',
  params: Type.Object({ id: Uuid }),
  answers: { 204: null },
  refusals: { 404: 'No such key.' },
})

export const listServiceKeys = route({
  method: 'GET',
  path: '/v1/service-keys',
  policy: 'admin',
  tag,
  summary: 'List the keys of the account',
  answers: { 200: Type.Array(ApiKey) },
})

export const createServiceKey = route({
  method: 'POST',
  path: '/v1/service-keys',
  policy: 'admin',
  tag,
  summary: 'Create a key that belongs to the account and has a role of its own',
  body: ServiceKeyCreate,
  answers: { 201: NewApiKey },
})

export const deleteServiceKey = route({
  method: 'DELETE',
  path: '/v1/service-keys/{id}',
  policy: 'admin',
  tag,
  summary: 'Delete a key of the account',
  params: Type.Object({ id: Uuid }),
  answers: { 204: null },
  refusals: { 404: 'No such key.' },
})

export const listAccounts = route({
  method: 'GET',
  path: '/v1/accounts',
  policy: 'read',
  anyAccount: true,
  tag: accounts,
  summary: 'List the accounts that the key can see',
  answers: { 200: Type.Array(Account) },
})

export const createAccount = route({
  method: 'POST',
  path: '/v1/accounts',
  policy: 'operator',
  tag: accounts,
  summary: 'Create an account for a person of this installation, or for whoever takes up the invitation to own it',
  body: AccountCreate,
  answers: { 201: NewAccount },
})

export const getMyAccount = route({
  method: 'GET',
  path: '/v1/accounts/me',
  policy: 'read',
  tag: accounts,
  summary: 'Get the account of this request',
  answers: { 200: Account },
})

export const updateMyAccount = route({
  method: 'PUT',
  path: '/v1/accounts/me',
  policy: 'admin',
  tag: accounts,
  summary: 'Update the account of this request',
  body: AccountUpdate,
  answers: { 200: Account },
})

export const getAccount = route({
  method: 'GET',
  path: '/v1/accounts/{accountId}',
  policy: 'read',
  tag: accounts,
  summary: 'Get an account',
  params: Type.Object({ accountId: Uuid }),
  answers: { 200: Account },
  refusals: { 404: 'No such account, or not for this key.' },
})

export const deleteAccount = route({
  method: 'DELETE',
  path: '/v1/accounts/{accountId}',
  policy: 'operator',
  tag: accounts,
  summary: 'Delete an account and everything in it',
  params: Type.Object({ accountId: Uuid }),
  answers: { 204: null },
  refusals: { 404: 'No such account.', 409: 'It is the first account.' },
})

export const getEntitlements = route({
  method: 'GET',
  path: '/v1/accounts/{accountId}/entitlements',
  policy: 'read',
  tag: accounts,
  summary: 'Get what an account may use',
  params: Type.Object({ accountId }),
  answers: { 200: Entitlements },
  refusals: { 404: 'No such account, or not for this key.' },
})

export const listMembers = route({
  method: 'GET',
  path: '/v1/accounts/{accountId}/members',
  policy: 'read',
  tag: members,
  summary: 'List the people of an account, and the open invitations',
  params: Type.Object({ accountId }),
  query: Type.Object({
    ...CursorQuery,
    search: Type.Optional(Type.String({ maxLength: 100, description: 'Part of a name or an address.' })),
    type: Type.Optional(Type.Enum(['member', 'invite'])),
    role: Type.Optional(Type.Enum(ROLES)),
    status: Type.Optional(Type.Enum(['ACTIVE', 'PENDING', 'EXPIRED'])),
  }),
  answers: {
    200: Type.Object({
      members: Type.Array(Type.Union([Member, Invitation])),
      length: Type.Integer(),
      nextId: Nullable(Type.String()),
    }),
  },
})

export const updateMember = route({
  method: 'PATCH',
  path: '/v1/accounts/{accountId}/members/{userId}',
  policy: 'admin',
  tag: members,
  summary: 'Change the role of a person; their sessions end',
  params: Type.Object({ accountId, userId: Uuid }),
  body: Type.Object({ role: GrantableRole }),
  answers: { 200: Member },
  refusals: { 403: 'Only owners change owners.', 404: 'No such member.', 409: 'The account would have no owner.' },
})

export const deleteMember = route({
  method: 'DELETE',
  path: '/v1/accounts/{accountId}/members/{userId}',
  policy: 'admin',
  tag: members,
  summary: 'Remove a person from the account; their sessions end',
  params: Type.Object({ accountId, userId: Uuid }),
  answers: { 204: null },
  refusals: { 403: 'Only owners change owners.', 404: 'No such member.', 409: 'The account would have no owner.' },
})

export const transferOwnership = route({
  method: 'POST',
  path: '/v1/accounts/{accountId}/ownership',
  policy: 'owner',
  tag: members,
  summary: 'Hand the account over: a member becomes its owner, the caller an administrator',
  params: Type.Object({ accountId }),
  body: Type.Object({ userId: Uuid }),
  answers: { 200: Member },
})

export const createInvitation = route({
  method: 'POST',
  path: '/v1/accounts/{accountId}/invitations',
  policy: 'admin',
  tag: members,
  summary: 'Invite a person; the token works once, for seven days',
  params: Type.Object({ accountId }),
  body: InvitationCreate,
  answers: { 201: NewInvitation },
})

export const deleteInvitation = route({
  method: 'DELETE',
  path: '/v1/accounts/{accountId}/invitations/{id}',
  policy: 'admin',
  tag: members,
  summary: 'Take an invitation back',
  params: Type.Object({ accountId, id: Uuid }),
  answers: { 204: null },
  refusals: { 403: 'Only owners take back the invitation of an owner.', 404: 'No such invitation.' },
})

const badToken = { 404: 'The token is wrong, used or expired.' }

export const readInvitation = route({
  method: 'POST',
  path: '/web/invitations/read',
  policy: 'token',
  tag,
  summary: 'What an invitation is for',
  body: InvitationToken,
  answers: { 200: InvitationView },
  refusals: badToken,
})

export const acceptInvitation = route({
  method: 'POST',
  path: '/web/invitations/accept',
  policy: 'token',
  tag,
  summary: 'Take an invitation up, as a new person or as one who has a name and password here, and sign in',
  body: InvitationAcceptance,
  answers: { 201: Me },
  refusals: {
    ...badToken,
    401: 'Somebody has that name and another password.',
    409: 'Somebody has that name, or belongs to the account already.',
  },
})

export const joinByInvitation = route({
  method: 'POST',
  path: '/web/invitations/join',
  policy: 'session',
  tag,
  summary: 'Take an invitation up as the person signed in',
  body: InvitationToken,
  answers: { 200: Me },
  refusals: { ...badToken, 409: 'The person belongs to the account already.' },
})
