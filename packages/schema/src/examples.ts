/**
 * Examples that teach, by the name of the schema that they are of. The documentation shows them wherever such a thing is
 * sent or answered, and makes the rest from the schemas: fields that are not here too.
 */
import type { AlertChannelWrite, SubscriptionUpdate } from './alert-channel.ts'
import type { AssertionOutcome } from './assertion.ts'
import type { CheckSession, SessionTrigger } from './check-session.ts'
import type { CheckStatus } from './check-status.ts'
import type { DryRun } from './dry-run.ts'
import type { ErrorGroup } from './error-group.ts'
import type { ApiCheck, ApiCheckCreate, ApiCheckResult, ApiCheckUpdate } from './kinds/api.ts'
import type { Location, LocationKey, PrivateLocationCreate } from './location.ts'
import type { CheckResult } from './result.ts'

const ACCOUNT_ID = '7e9d3c10-41c5-4d0b-9d5e-0f4b6a2c8d11'
const CHECK_ID = 'f0a5c7de-0a54-4f0a-8b5c-2b2a1f6f9a02'
const RESULT_ID = '019ba5f1-2c00-7c55-9d11-3f2f7ad1f001'
const SESSION_ID = '3f6c2f43-1f0a-4c9c-8a10-1f9a3b1c7d04'
const STARTED_AT = '2026-01-10T08:00:00.100Z'
const RECORDED_AT = '2026-01-10T08:00:00.500Z'

const createApiCheck = {
  name: 'Orders',
  frequency: 1,
  locations: ['eu-west-1', 'us-east-1'],
  tags: ['shop', 'team:orders'],
  degradedResponseTime: 800,
  maxResponseTime: 3000,
  retryStrategy: { type: 'LINEAR', baseBackoffSeconds: 10, maxRetries: 3 },
  request: {
    method: 'GET',
    url: 'https://shop.example.org/api/orders',
    headers: [{ key: 'accept', value: 'application/json', locked: false }],
    assertions: [
      { source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' },
      { source: 'JSON_BODY', property: '$.orders.length', comparison: 'GREATER_THAN', target: '0' },
    ],
  },
} satisfies ApiCheckCreate

const apiCheck: Partial<ApiCheck> = {
  id: CHECK_ID,
  checkType: 'API',
  ...createApiCheck,
  description: null,
  activated: true,
  muted: false,
  doubleCheck: false,
  shouldFail: false,
  locations: ['eu-west-1', 'us-east-1'],
  privateLocations: [],
  alertSettings: null,
  useGlobalAlertSettings: true,
  groupId: null,
  groupOrder: null,
  runtimeId: null,
  alertChannelSubscriptions: [{ alertChannelId: 7, activated: true }],
  triggerIncident: null,
  runParallel: false,
  dependsOn: [],
  frequencyOffset: 4,
  setupSnippetId: null,
  tearDownSnippetId: null,
  localSetupScript: null,
  localTearDownScript: null,
  alertChannels: { email: [], webhook: [], slack: [], sms: [] },
  created_at: '2026-01-02T09:30:00.000Z',
  updated_at: null,
}

const outcome: AssertionOutcome = {
  source: 'STATUS_CODE',
  comparison: 'EQUALS',
  property: '',
  target: 200,
  regex: '',
  error: 'expected 500 to equal 200',
  actual: 500,
}

const apiCheckResult: ApiCheckResult = {
  assertions: [outcome],
  request: { method: 'GET', url: 'https://shop.example.org/api/orders', data: '', headers: {}, params: {} },
  response: {
    status: 500,
    statusText: 'Internal Server Error',
    href: 'https://shop.example.org/api/orders',
    headers: { 'content-type': 'text/plain' },
    body: 'oops',
    truncated: false,
    timings: { socket: 1.2, lookup: 8.4, connect: 35, response: 220.1, end: 240 },
    timingPhases: { wait: 1.2, dns: 7.2, tcp: 26.6, firstByte: 185.1, download: 19.9, total: 240 },
    tls: {
      protocol: 'TLSv1.3',
      cipher: 'TLS_AES_256_GCM_SHA384',
      problem: null,
      daysRemaining: 41,
      chain: [
        {
          subject: 'CN=shop.example.org',
          issuer: 'C=US, O=Example Trust, CN=Example CA 1',
          altNames: ['shop.example.org'],
          validFrom: '2025-11-23T00:00:00.000Z',
          validTo: '2026-02-20T23:59:59.000Z',
          fingerprint256: Array(32).fill('4F').join(':'),
          keyType: 'ec',
          keyBits: 256,
          signatureAlgorithm: 'ecdsa-with-SHA256',
        },
      ],
    },
    sameAs: null,
    kept: true,
  },
  requestError: null,
  jobLog: null,
  jobAssets: null,
  pcapDataUrl: null,
}

const checkResult: Partial<CheckResult> = {
  id: RESULT_ID,
  name: 'Orders',
  checkId: CHECK_ID,
  checkType: 'API',
  hasFailures: true,
  hasErrors: false,
  isDegraded: false,
  overMaxResponseTime: false,
  runLocation: 'eu-west-1',
  startedAt: STARTED_AT,
  stoppedAt: '2026-01-10T08:00:00.340Z',
  created_at: RECORDED_AT,
  responseTime: 240,
  checkRunId: 1_768_032_000_000,
  attempts: 1,
  resultType: 'FINAL',
  sequenceId: '9f0c1a52-5d3b-4c47-8a36-7c1f1d0b5e03',
  errorMessage: 'expected 500 to equal 200',
  apiCheckResult,
  browserCheckResult: null,
  multiStepCheckResult: null,
}

const dryRun: Partial<DryRun> = {
  checkType: 'API',
  runLocation: 'eu-west-1',
  verdict: 'failed',
  decision: {
    rule: 'assertion-broken',
    blame: 'target',
    assertion: 0,
    reason: 'status code: expected 500 to equal 200',
  },
  startedAt: STARTED_AT,
  duration: 240,
  phases: [
    { name: 'responseTime', duration: 240 },
    { name: 'wait', duration: 1.2 },
    { name: 'dns', duration: 7.2 },
    { name: 'tcp', duration: 26.6 },
    { name: 'firstByte', duration: 185.1 },
    { name: 'download', duration: 19.9 },
  ],
  retry: {
    again: true,
    attempts: [
      { attempt: 2, reason: 'retry', delay: 10_000, sameLocation: true },
      { attempt: 3, reason: 'retry', delay: 20_000, sameLocation: true },
    ],
    endedBy: 'used-up',
    reason: 'It would be tried again 2 times, after 10 s and after 20 s, in the same location.',
  },
  alert: {
    when: 'later',
    alertType: 'ALERT_FAILURE_REMAIN',
    runs: 2,
    after: 60_000,
    withheld: null,
    reason: 'It would alert that it fails after 2 runs in a row like this one, 60 s after the first.',
  },
}

const session: Partial<CheckSession> = {
  checkSessionId: SESSION_ID,
  checkSessionLink: `https://vedette.example.org/accounts/${ACCOUNT_ID}/checks/${CHECK_ID}/check-sessions/${SESSION_ID}`,
  checkId: CHECK_ID,
  checkType: 'API',
  name: 'Orders',
  status: 'STARTED',
  startedAt: STARTED_AT,
  stoppedAt: null,
  timeElapsed: 12,
  runLocations: ['eu-west-1', 'us-east-1'],
}

const createWebhook = {
  type: 'WEBHOOK',
  config: {
    name: 'Operations room',
    url: 'https://hooks.example.org/vedette',
    template: '{"title": "{{ALERT_TITLE}}", "link": "{{RESULT_LINK}}"}',
    webhookSecret: 'a long secret',
  },
  sendDegraded: true,
  autoSubscribe: true,
} satisfies Partial<AlertChannelWrite>

const updateApiCheck: ApiCheckUpdate = { frequency: 5, muted: true }
const subscription: SubscriptionUpdate = { checkId: CHECK_ID, activated: true }
const trigger: SessionTrigger = { target: { matchTags: [['production', '!slow'], ['smoke']] } }

const status: Partial<CheckStatus> = {
  name: 'Orders',
  checkId: CHECK_ID,
  hasFailures: true,
  hasErrors: false,
  isDegraded: false,
  longestRun: 2100,
  shortestRun: 88,
  lastRunLocation: 'eu-west-1',
  lastCheckRunId: '1768032000000',
  sslDaysRemaining: 41,
}

const errorGroup: Partial<ErrorGroup> = {
  checkId: CHECK_ID,
  errorHash: '9e4c1f0a7b3d',
  rawErrorMessage: 'expected 500 to equal 200',
  cleanedErrorMessage: 'expected <n> to equal <n>',
  firstSeen: '2026-01-09T22:10:00.000Z',
  lastSeen: STARTED_AT,
  archivedUntilNextEvent: false,
}

const location: Location = {
  region: 'eu-west-1',
  name: 'Ireland',
  servedBy: 'built-in',
  quarantine: null,
  isolation: { level: 'strict', layers: ['seccomp'] },
  scripts: {
    runtimes: [{ id: '2025.04', playwright: '1.65.1', node: 'v24.21.0', engine: 'warm' }],
    browser: { name: 'chromium-headless-shell', version: '156.0.7204.49' },
    recordsVideo: true,
  },
}
const locationKey: Partial<LocationKey> = {
  rawKey: 'pl_0123456789abcdef0123456789abcdef',
  maskedKey: '...cdef',
  updated_at: null,
}
const createLocation: PrivateLocationCreate = { name: 'Plant network', slugName: 'plant-network' }

export const examples = {
  ApiCheckCreate: createApiCheck,
  ApiCheckUpdate: updateApiCheck,
  ApiCheck: apiCheck,
  ApiCheckResult: apiCheckResult,
  CheckResult: checkResult,
  CheckSession: session,
  DryRun: dryRun,
  SessionTrigger: trigger,
  CheckStatus: status,
  ErrorGroup: errorGroup,
  AlertChannelWrite: createWebhook,
  AlertChannel: { ...createWebhook, subscriptions: [{ id: 12, checkId: CHECK_ID, groupId: null, activated: true }] },
  SubscriptionUpdate: subscription,
  Location: location,
  LocationKey: locationKey,
  PrivateLocationCreate: createLocation,
} as const
