import Type from 'typebox'
import { route } from '../route.ts'
import {
  HeartbeatRequest,
  LeaseAnswer,
  LeaseId,
  LeaseRequest,
  ReportAnswer,
  ReportRequest,
  SignInAnswer,
  SignInRequest,
} from '../runner-protocol.ts'

const tag = 'Runner'
const refusals = { 410: 'The runner is not known (any more): sign in again.' }

export const runnerSignIn = route({
  method: 'POST',
  path: '/runner/v1/sign-in',
  policy: 'runner',
  tag,
  summary: 'Sign in with a location key',
  body: SignInRequest,
  answers: { 200: SignInAnswer },
})

export const runnerHeartbeat = route({
  method: 'POST',
  path: '/runner/v1/heartbeat',
  policy: 'runner',
  tag,
  summary: 'Say that the runner is alive, which renews all its leases',
  body: HeartbeatRequest,
  bodyLimit: 8 * 1024 * 1024,
  answers: { 204: null },
  refusals,
})

export const runnerSignOut = route({
  method: 'POST',
  path: '/runner/v1/sign-out',
  policy: 'runner',
  tag,
  summary: 'Give back all leases at once',
  body: HeartbeatRequest,
  answers: { 204: null },
  refusals,
})

export const leaseRuns = route({
  method: 'POST',
  path: '/runner/v1/lease',
  policy: 'runner',
  tag,
  summary: 'Take runs that fall due soon',
  body: LeaseRequest,
  answers: { 200: LeaseAnswer },
  refusals,
})

export const reportRuns = route({
  method: 'POST',
  path: '/runner/v1/results',
  policy: 'runner',
  tag,
  summary: 'Report runs; a report may be repeated without harm',
  body: ReportRequest,
  bodyLimit: 64 * 1024 * 1024,
  answers: { 200: ReportAnswer },
  refusals,
})

export const fetchBundle = route({
  method: 'GET',
  path: '/runner/v1/bundles/{sha256}',
  policy: 'runner',
  tag,
  summary: 'Fetch the project of a suite whose run is in hand',
  params: Type.Object({ sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
  query: Type.Object({ runnerId: Type.Integer(), leaseId: LeaseId }),
  media: 'application/gzip',
  answers: { 200: Type.Unsafe<AsyncIterable<Uint8Array>>(Type.String({ format: 'binary' })) },
  refusals: { ...refusals, 404: 'The lease is not of this runner (any more), or its account has no such bundle.' },
})
