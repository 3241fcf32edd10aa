import Type from 'typebox'
import { Account, Me, SetUp, SetUpState, SignIn } from '../account.ts'
import { route } from '../route.ts'

const tag = 'Access'

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
  refusals: { 403: 'The token is wrong or used.' },
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

/** An API key made in the web application; shown once. */
export const createApiKey = route({
  method: 'POST',
  path: '/web/api-keys',
  policy: 'session',
  tag,
  summary: 'Create an API key that acts as the person signed in',
  body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) }),
  answers: { 201: Type.Object({ id: Type.String(), name: Type.String(), rawKey: Type.String() }) },
})

export const listAccounts = route({
  method: 'GET',
  path: '/v1/accounts',
  policy: 'read',
  tag: 'Accounts',
  summary: 'List the accounts that the key can see',
  answers: { 200: Type.Array(Account) },
})

export const getMyAccount = route({
  method: 'GET',
  path: '/v1/accounts/me',
  policy: 'read',
  tag: 'Accounts',
  summary: 'Get the account of this request',
  answers: { 200: Account },
})
