import Type, { type TSchema } from 'typebox'
import { CheckKind } from '../check-kind.ts'
import { CheckOverview, CheckSummary, ResponseTimePoint } from '../check-overview.ts'
import { EffectiveSettings } from '../effective-check.ts'
import { ApiCheck, ApiCheckCreate, ApiCheckUpdate } from '../kinds/api.ts'
import { BrowserCheck, BrowserCheckCreate, BrowserCheckUpdate } from '../kinds/browser.ts'
import { DnsCheck, DnsCheckCreate, DnsCheckCreateCompat, DnsCheckUpdate } from '../kinds/dns.ts'
import { GrpcCheck, GrpcCheckCreate, GrpcCheckUpdate } from '../kinds/grpc.ts'
import { HeartbeatCheck, HeartbeatCheckCreate, HeartbeatCheckUpdate } from '../kinds/heartbeat.ts'
import { IcmpCheck, IcmpCheckCreate, IcmpCheckUpdate } from '../kinds/icmp.ts'
import { Check, CheckCreate, CheckCreateCompat } from '../kinds/index.ts'
import { MultiStepCheck, MultiStepCheckCreate, MultiStepCheckUpdate } from '../kinds/multi-step.ts'
import { PlaywrightCheck, PlaywrightCheckCreate, PlaywrightCheckUpdate } from '../kinds/playwright.ts'
import { SslCheck, SslCheckCreate, SslCheckUpdate } from '../kinds/ssl.ts'
import { TcpCheck, TcpCheckCreate, TcpCheckUpdate } from '../kinds/tcp.ts'
import { UrlCheck, UrlCheckCreate, UrlCheckUpdate } from '../kinds/url.ts'
import { PageQuery, route } from '../route.ts'
import { Nullable, NumericId, Uuid } from '../shape.ts'

const tag = 'Checks'
const AutoAssign = Type.Object({
  autoAssignAlerts: Type.Optional(
    Type.Boolean({ default: true, description: 'Subscribe a newly created check to all existing alert channels.' }),
  ),
})
const ApplyGroup = Type.Optional(
  Type.Boolean({ default: false, description: 'Answer the settings in force, with those of the group put over.' }),
)
const CheckId = Type.Object({ id: Uuid })

export const listChecks = route({
  method: 'GET',
  path: '/v1/checks',
  policy: 'read',
  tag,
  summary: 'List checks',
  query: Type.Object({
    ...PageQuery,
    tag: Type.Optional(Type.Array(Type.String())),
    apiCheckUrlFilterPattern: Type.Optional(Type.String({ minLength: 1, description: 'Part of an API check’s URL.' })),
    search: Type.Optional(Type.String({ description: 'Part of the name, in any case.' })),
    checkType: Type.Optional(CheckKind),
    status: Type.Optional(Type.Enum(['passing', 'failing', 'degraded'])),
    applyGroupSettings: ApplyGroup,
  }),
  answers: { 200: Type.Array(Check) },
})

export const getCheck = route({
  method: 'GET',
  path: '/v1/checks/{id}',
  policy: 'read',
  tag,
  kept: true,
  summary: 'Get a check',
  params: CheckId,
  query: Type.Object({
    includeDependencies: Type.Optional(
      Type.Boolean({ description: 'Whether to answer the files that the script imports.' }),
    ),
    applyGroupSettings: ApplyGroup,
  }),
  answers: { 200: Check },
  refusals: { 404: 'No such check in this account.' },
})

export const deleteCheck = route({
  method: 'DELETE',
  path: '/v1/checks/{id}',
  policy: 'write',
  tag,
  summary: 'Delete a check with its results, status and subscriptions',
  params: CheckId,
  answers: { 204: null },
  refusals: { 404: 'No such check in this account.' },
})

/** Scripts and the files that they import need room. */
const SCRIPT_LIMIT = 10 * 1024 * 1024

const creates = <const P extends string, B extends TSchema, A extends TSchema>(
  segment: P,
  name: string,
  body: B,
  answer: A,
) =>
  ({
    method: 'POST',
    path: `/v1/checks/${segment}`,
    policy: 'write',
    tag,
    summary: `Create ${name}`,
    query: AutoAssign,
    body,
    answers: { 201: answer },
  }) as const

const updates = <const P extends string, B extends TSchema, A extends TSchema>(
  segment: P,
  name: string,
  body: B,
  answer: A,
) =>
  ({
    method: 'PUT',
    path: `/v1/checks/${segment}/{id}`,
    policy: 'write',
    tag,
    summary: `Update ${name}; absent fields keep their value`,
    params: CheckId,
    query: AutoAssign,
    body,
    answers: { 200: answer },
    refusals: { 404: `Not ${name} of this account.` },
  }) as const

export const createApiCheck = route(creates('api', 'an API check', ApiCheckCreate, ApiCheck))
export const updateApiCheck = route(updates('api', 'an API check', ApiCheckUpdate, ApiCheck))
export const createBrowserCheck = route({
  ...creates('browser', 'a browser check', BrowserCheckCreate, BrowserCheck),
  bodyLimit: SCRIPT_LIMIT,
})
export const updateBrowserCheck = route({
  ...updates('browser', 'a browser check', BrowserCheckUpdate, BrowserCheck),
  bodyLimit: SCRIPT_LIMIT,
})
export const createMultiStepCheck = route({
  ...creates('multistep', 'a multi-step check', MultiStepCheckCreate, MultiStepCheck),
  bodyLimit: SCRIPT_LIMIT,
})
export const updateMultiStepCheck = route({
  ...updates('multistep', 'a multi-step check', MultiStepCheckUpdate, MultiStepCheck),
  bodyLimit: SCRIPT_LIMIT,
})
export const createPlaywrightCheck = route({
  ...creates('playwright', 'a suite', PlaywrightCheckCreate, PlaywrightCheck),
  bodyLimit: SCRIPT_LIMIT,
})
export const updatePlaywrightCheck = route({
  ...updates('playwright', 'a suite', PlaywrightCheckUpdate, PlaywrightCheck),
  bodyLimit: SCRIPT_LIMIT,
})
export const createTcpCheck = route(creates('tcp', 'a TCP check', TcpCheckCreate, TcpCheck))
export const updateTcpCheck = route(updates('tcp', 'a TCP check', TcpCheckUpdate, TcpCheck))
export const createUrlCheck = route(creates('url', 'a URL check', UrlCheckCreate, UrlCheck))
export const updateUrlCheck = route(updates('url', 'a URL check', UrlCheckUpdate, UrlCheck))
export const createDnsCheck = route({
  ...creates('dns', 'a DNS check', DnsCheckCreate, DnsCheck),
  compatBody: DnsCheckCreateCompat,
})
export const updateDnsCheck = route(updates('dns', 'a DNS check', DnsCheckUpdate, DnsCheck))
export const createHeartbeatCheck = route(creates('heartbeat', 'a heartbeat', HeartbeatCheckCreate, HeartbeatCheck))
export const updateHeartbeatCheck = route(updates('heartbeat', 'a heartbeat', HeartbeatCheckUpdate, HeartbeatCheck))

export const createGrpcCheck = route(creates('grpc', 'a gRPC check', GrpcCheckCreate, GrpcCheck))
export const updateGrpcCheck = route(updates('grpc', 'a gRPC check', GrpcCheckUpdate, GrpcCheck))
export const createIcmpCheck = route(creates('icmp', 'an ICMP check', IcmpCheckCreate, IcmpCheck))
export const updateIcmpCheck = route(updates('icmp', 'an ICMP check', IcmpCheckUpdate, IcmpCheck))
export const createSslCheck = route(creates('ssl', 'an SSL check', SslCheckCreate, SslCheck))
export const updateSslCheck = route(updates('ssl', 'an SSL check', SslCheckUpdate, SslCheck))

export const createCheck = route({
  method: 'POST',
  path: '/v1/checks',
  policy: 'write',
  tag,
  summary: 'Create a check of any kind',
  description: 'The operation of the kind is the better one.',
  deprecated: true,
  query: AutoAssign,
  body: CheckCreate,
  compatBody: CheckCreateCompat,
  bodyLimit: SCRIPT_LIMIT,
  answers: { 201: Check },
})

export const updateCheck = route({
  method: 'PUT',
  path: '/v1/checks/{id}',
  policy: 'write',
  tag,
  summary: 'Update a check of any kind; absent fields keep their value',
  description: 'The operation of the kind is the better one. The fields are those of the check’s kind.',
  deprecated: true,
  params: CheckId,
  query: AutoAssign,
  body: Type.Record(Type.String(), Type.Unknown()),
  bodyLimit: SCRIPT_LIMIT,
  answers: { 200: Check },
  refusals: { 404: 'No such check in this account.' },
})

export const getEffectiveSettings = route({
  method: 'GET',
  path: '/v1/checks/{id}/effective',
  policy: 'read',
  tag,
  kept: true,
  summary: 'Get the settings by which a check runs, and where each comes from',
  params: CheckId,
  answers: { 200: EffectiveSettings },
  refusals: { 404: 'No such check in this account.' },
})

export const overviewChecks = route({
  method: 'GET',
  path: '/v1/check-overviews',
  policy: 'read',
  tag,
  summary: 'List checks with their state and newest runs',
  description: 'What the list of checks shows, in one call. The worst states come first, then by name.',
  query: Type.Object({
    ...PageQuery,
    search: Type.Optional(Type.String()),
    tag: Type.Optional(Type.Array(Type.String())),
    checkId: Type.Optional(Uuid),
    checkType: Type.Optional(CheckKind),
    groupId: Type.Optional(NumericId),
    state: Type.Optional(Type.Enum(['passing', 'degraded', 'failing', 'unknown', 'paused'])),
    runs: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, default: 30 })),
  }),
  answers: { 200: Type.Array(CheckOverview) },
})

export const summariseChecks = route({
  method: 'GET',
  path: '/v1/check-overviews/summary',
  policy: 'read',
  tag,
  summary: 'Count the checks by state',
  answers: { 200: CheckSummary },
})

export const checkTimeline = route({
  method: 'GET',
  path: '/v1/checks/{id}/timeline',
  policy: 'read',
  tag,
  summary: 'The response times of a check’s latest runs, oldest first',
  params: CheckId,
  query: Type.Object({
    hours: Type.Optional(Type.Number({ minimum: 0.1, maximum: 720, default: 24 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 5000, default: 1500 })),
  }),
  answers: {
    200: Type.Object({
      points: Type.Array(ResponseTimePoint),
      missed: Type.Array(
        Type.Object({ at: Type.String(), location: Type.String(), count: Type.Integer(), reason: Type.String() }),
      ),
      availability: Nullable(
        Type.Number({ description: 'Percentage of runs that did not fail; runs in error left out.' }),
      ),
    }),
  },
  refusals: { 404: 'No such check in this account.' },
})
