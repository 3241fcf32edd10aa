import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { scriptRun, scriptTest } from '@vedette/core/testing/script-runs'
import { type CheckKind, type Policy, ROLES, type Role, type Route, RUNNABLE_KINDS, routes } from '@vedette/schema'
import { isAllowed } from '../auth/caller.ts'
import { renewSetUpToken } from '../auth/first-start.ts'
import { newKey } from '../auth/keys.ts'
import { BUNDLE_PATH, knowBundle } from '../testing/bundles.ts'
import { selfSigned } from '../testing/certificates.ts'
import { makeCheck, resultsOf } from '../testing/checks.ts'
import { aReport, signInRunner } from '../testing/fake-runner.ts'
import { samplesOfPages } from '../testing/pages.ts'
import { addResults, type GivenResult } from '../testing/results.ts'
import { projectOf } from '../testing/tar.ts'
import { type Parts, pathOf, startTestServer, type TestServer } from '../testing/test-server.ts'
import { validate } from './validation.ts'

type Name = keyof typeof routes
type Sample = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  /** Instead of a body of JSON. */
  file?: Uint8Array<ArrayBuffer>
  /** The status of the refusal that is to be expected. */
  refused?: number
  /** The secret that the operation asks for. */
  key?: string
}

/** Stands where secrets stand. */
const CANARY = 'canary-4b1f'
const lock = { key: 'authorization', value: CANARY, locked: true }

/** One thing of each sort, so that every route has something to be asked for. */
async function aFullAccount(server: TestServer) {
  const webhook = {
    type: 'WEBHOOK' as const,
    config: { name: 'Pager', url: 'http://pager.test/', webhookSecret: CANARY },
  }
  const channel = await server.call(routes.createAlertChannel, { body: webhook })
  // Without a telephone gateway nothing is dialled.
  const phone = await server.call(routes.createAlertChannel, { body: { type: 'SMS', config: { number: '+15' } } })
  const group = await server.call(routes.createCheckGroup, { body: { name: 'Shop' } })
  const emptyGroup = await server.call(routes.createCheckGroup, { body: { name: 'Empty' } })
  const check = await makeCheck(server, { tags: ['shop'] })
  const kinds = await oneOfEachKind(server)
  const pingToken = randomUUID()
  const heartbeat = await server.call(routes.createHeartbeatCheck, {
    body: { name: 'Backup', heartbeat: { ...daily, pingToken } },
  })
  await server.call(routes.ping, { params: { pingToken } })
  const [pings] = await server.call(routes.listHeartbeatEvents, { params: { checkId: heartbeat.id } })
  const [event] = pings?.events ?? []
  const member = await makeCheck(server, { groupId: group.id, activated: false })
  await server.call(routes.createCheckTrigger, { params: { checkId: kinds.browser.id } })
  const groupTrigger = await server.call(routes.createGroupTrigger, { params: { groupId: emptyGroup.id } })
  const location = await server.call(routes.createPrivateLocation, { body: { name: 'Cellar', slugName: 'cellar' } })
  const dataCenterKey = await server.call(routes.createDataCenterKey, { params: { region: 'eu-west-1' } })
  const { sessions } = await server.call(routes.triggerSessions, { body: { target: { checkId: check.id } } })
  const runner = await signInRunner(server)
  // Others may have fallen due meanwhile.
  const run = (await runner.lease()).find(({ checkId }) => checkId === check.id)
  assert.ok(run)
  await runner.report(run, 'failed')
  const [result] = await resultsOf(server, check)
  const [errorGroup] = await server.call(routes.listErrorGroups, { params: { checkId: check.id } })
  const pair = selfSigned()
  const variable = await server.call(routes.createVariable, { body: { key: 'HOST', value: 'shop.test' } })
  const snippet = await server.call(routes.createSnippet, { body: { name: 'log-in', script: 'export {}' } })
  const certificate = await server.call(routes.createClientCertificate, { body: { host: 'shop.test', ...pair } })
  const nextWeek = { name: 'Release', startsAt: '2040-01-01', endsAt: '2040-01-02', tags: ['shop'] }
  const window = await server.call(routes.createMaintenanceWindow, { body: nextWeek })
  const metricsToken = await server.call(routes.createMetricsToken, { body: { name: 'collector' } })
  const token = await renewSetUpToken(server.db)
  const pages = await samplesOfPages(server)
  const [, scriptResultId = ''] = await addResults(server, kinds.browser, [aScript(1000), aScript(0)])
  const ids = [result?.id, errorGroup?.id, sessions[0]?.checkSessionId, location.keys[0]?.id, token]
  const [resultId = '', errorGroupId = '', sessionId = '', keyId = '', setUpToken = ''] = ids.map((id) => id ?? '')
  assert.ok([resultId, errorGroupId, sessionId, keyId, setUpToken].every((id) => id !== ''))

  const invite = () =>
    server.call(routes.createInvitation, { params: { accountId: 'me' }, body: { role: 'READ_ONLY' } })
  const [toAccept, toDelete] = [await invite(), await invite()]
  const other = await server.call(routes.createAccount, { body: { name: 'To join' } })
  const [bob, carol] = [await server.addPerson('bob', 'READ_ONLY'), await server.addPerson('carol', 'ADMIN')]
  const serviceKey = await server.call(routes.createServiceKey, { body: { name: 'ci', role: 'READ_RUN' } })
  const userKeyId = await keyOfOwner(server)
  const ofAccount = { params: { accountId: server.accountId } }
  const ofBob = { params: { accountId: server.accountId, userId: bob } }

  const ofCheck = { params: { id: check.id } }
  const ofGroup = { params: { id: group.id } }
  const ofMember = { params: { groupId: group.id, checkId: member.id } }
  const ofHeartbeat = { params: { checkId: heartbeat.id } }
  const ofPing = { params: { pingToken } }
  const ofAsset = {
    ...{ region: 'eu-west-1', accountId: server.accountId, checkId: check.id, checkRunId: 1 },
    fileName: '1-00000000-0-trace.zip',
  }
  // What waits for pings is not run, and is refused at once.
  const { token: idleToken } = await server.call(routes.createCheckTrigger, { params: { checkId: heartbeat.id } })
  const callOfCheck = { params: { checkId: heartbeat.id, token: idleToken }, refused: 409 }
  const callOfGroup = { params: { groupId: emptyGroup.id, token: groupTrigger.token } }
  const ofChannel = { params: { id: channel.id } }
  const ofLocation = { params: { id: location.id } }
  const ofRunner = { runnerId: runner.id, trouble: null }
  const person = { name: 'alice', password: 'correct horse battery' }
  /** A route that is new has to be added here before this compiles. */
  const samples: { [N in Name]: Sample } = {
    listChecks: { query: { tag: 'shop' } },
    getCheck: ofCheck,
    // Before the account is told to show no badges.
    getGroupBadge: { params: { groupId: group.id } },
    getCheckBadge: { params: { checkId: check.id } },
    createApiCheck: {
      body: { name: 'Another', request: { url: 'http://shop.test/', method: 'GET', headers: [lock] } },
    },
    updateApiCheck: { ...ofCheck, body: { name: 'Renamed' } },
    createBrowserCheck: { body: { name: 'Browser', script: '' } },
    updateBrowserCheck: { params: { id: kinds.browser.id }, body: { name: 'Renamed' } },
    createMultiStepCheck: { body: { name: 'Steps', script: null } },
    updateMultiStepCheck: { params: { id: kinds.multiStep.id }, body: { muted: true } },
    createPlaywrightCheck: { body: { name: 'Suite', codeBundlePath: BUNDLE_PATH } },
    updatePlaywrightCheck: { params: { id: kinds.suite.id }, body: { browsers: [] } },
    createIcmpCheck: { body: { name: 'Gateway', request: { hostname: 'shop.test' } } },
    createSslCheck: { body: { name: 'Certificate', request: { sslConfig: { hostname: 'shop.test' } } } },
    createTcpCheck: { body: { name: 'Port', request: { url: 'shop.test', port: 443 } } },
    updateIcmpCheck: { params: { id: kinds.icmp.id }, body: { frequency: 5 } },
    updateSslCheck: { params: { id: kinds.ssl.id }, body: { frequency: 5 } },
    updateTcpCheck: { params: { id: kinds.tcp.id }, body: { frequency: 5 } },
    createGrpcCheck: { body: { name: 'Orders', request: { url: 'shop.test', port: 50051 } } },
    updateGrpcCheck: { params: { id: kinds.grpc.id }, body: { maxResponseTime: null } },
    createUrlCheck: { body: { name: 'Page', request: { url: 'http://shop.test/' } } },
    updateUrlCheck: { params: { id: kinds.url.id }, body: { maxResponseTime: null } },
    createDnsCheck: {
      body: { name: 'Zone', request: { query: 'shop.test', recordType: 'A' }, heartbeat: {}, script: '' },
    },
    updateDnsCheck: { params: { id: kinds.dns.id }, body: { name: 'Zone' } },
    createHeartbeatCheck: { body: { name: 'Nightly', heartbeat: daily } },
    updateHeartbeatCheck: { params: { id: heartbeat.id }, body: { tags: ['jobs'] } },
    dryRunApiCheck: tryOut('API', { name: 'Shop', request: { url: 'http://shop.test/', headers: [lock] } }),
    dryRunUrlCheck: tryOut('URL', { name: 'Page', request: { url: 'http://shop.test/' } }),
    dryRunGrpcCheck: tryOut('GRPC', { name: 'Orders', request: { url: 'shop.test', port: 50051 } }),
    dryRunIcmpCheck: tryOut('ICMP', { name: 'Gateway', request: { hostname: 'shop.test' } }),
    dryRunSslCheck: tryOut('SSL', { name: 'Certificate', request: { sslConfig: { hostname: 'shop.test' } } }),
    dryRunTcpCheck: tryOut('TCP', { name: 'Port', request: { url: 'shop.test', port: 443 } }),
    dryRunDnsCheck: tryOut('DNS', {
      name: 'Zone',
      request: { query: 'shop.test', recordType: 'A' },
      heartbeat: {},
      script: '',
    }),
    dryRunBrowserCheck: tryOut('BROWSER', { name: 'Browser', script: '' }),
    dryRunMultiStepCheck: tryOut('MULTI_STEP', { name: 'Steps', script: '' }),
    dryRunPlaywrightCheck: tryOut('PLAYWRIGHT', { name: 'Suite', codeBundlePath: BUNDLE_PATH }),
    dryRunHeartbeatCheck: tryOut('HEARTBEAT', { name: 'Nightly', heartbeat: daily }),
    createCheck: { body: { checkType: 'URL', name: 'Page', request: { url: 'http://shop.test/' } } },
    updateCheck: { ...ofCheck, body: { name: 'Renamed again' } },
    getEffectiveSettings: ofCheck,
    listCheckGroups: { query: { tag: 'x', name: 'Shop' } },
    createCheckGroupV1: { body: { name: 'Older' } },
    createCheckGroup: { body: { name: 'Newer' } },
    getCheckGroup: ofGroup,
    updateCheckGroupV1: { ...ofGroup, body: { muted: true } },
    updateCheckGroup: { ...ofGroup, body: { name: 'Shop' } },
    listGroupChecks: ofGroup,
    listGroupChecksV2: ofGroup,
    getGroupCheck: ofMember,
    getGroupCheckV2: ofMember,
    getHeartbeatAvailability: ofHeartbeat,
    listHeartbeatEvents: ofHeartbeat,
    getHeartbeatEvent: { params: { checkId: heartbeat.id, id: event?.id ?? '' } },
    ping: ofPing,
    pingByPost: ofPing,
    pingOlder: ofPing,
    pingOlderByPost: ofPing,
    pingStart: ofPing,
    pingStartByPost: ofPing,
    pingFail: ofPing,
    pingFailByPost: ofPing,
    pingExitCode: { params: { pingToken, exitCode: 0 } },
    pingExitCodeByPost: { params: { pingToken, exitCode: 3 } },
    getHeartbeatTimer: ofHeartbeat,
    getHeartbeatSuggestion: ofHeartbeat,
    getCheckTrigger: { params: { checkId: kinds.browser.id } },
    createCheckTrigger: { params: { checkId: check.id } },
    getGroupTrigger: { params: { groupId: emptyGroup.id } },
    createGroupTrigger: { params: { groupId: group.id } },
    callCheckTrigger: callOfCheck,
    callCheckTriggerByPost: callOfCheck,
    callCheckTriggerV1: callOfCheck,
    callCheckTriggerV1ByPost: callOfCheck,
    callGroupTrigger: callOfGroup,
    callGroupTriggerByPost: callOfGroup,
    callGroupTriggerV1: callOfGroup,
    callGroupTriggerV1ByPost: callOfGroup,
    overviewChecks: {},
    summariseChecks: {},
    checkTimeline: ofCheck,
    listCheckResultsByPage: { params: { checkId: check.id } },
    listCheckResults: { params: { checkId: check.id } },
    getCheckResult: { params: { checkId: check.id, checkResultId: resultId } },
    compareCheckResult: { params: { checkId: kinds.browser.id, checkResultId: scriptResultId } },
    triggerSessions: { body: { target: { checkId: check.id } } },
    getSession: { params: { checkSessionId: sessionId } },
    awaitSession: { params: { checkSessionId: sessionId } },
    triggerSessionsV2: { body: { target: { checkId: check.id } } },
    getSessionV2: { params: { checkSessionId: sessionId } },
    awaitSessionV2: { params: { checkSessionId: sessionId } },
    cancelSession: { params: { checkSessionId: sessionId } },
    listCheckStatuses: {},
    getCheckStatus: { params: { checkId: check.id } },
    listAllErrorGroups: {},
    listErrorGroups: { params: { checkId: check.id } },
    countErrorGroups: { params: { checkId: check.id } },
    getErrorGroup: { params: { id: errorGroupId } },
    updateErrorGroup: { params: { id: errorGroupId }, body: { archivedUntilNextEvent: true } },
    listAlertChannels: {},
    createAlertChannel: { body: webhook },
    getAlertChannel: ofChannel,
    updateAlertChannel: { ...ofChannel, body: webhook },
    testAlertChannel: { params: { id: phone.id } },
    subscribe: { ...ofChannel, body: { checkId: check.id, activated: true } },
    listAlertNotifications: {},
    listCheckAlerts: {},
    listAlertsOfCheck: { params: { checkId: check.id } },
    listAlertDecisions: { params: { id: check.id } },
    acknowledgeCheck: { ...ofCheck, body: { note: 'On it.' } },
    replayAlerts: { params: { id: check.id }, body: { alertSettings: { escalationType: 'RUN_BASED' } } },
    ...pages.lasting,
    listLocations: {},
    createDataCenterKey: { params: { region: 'eu-west-1' } },
    listDataCenterKeys: { params: { region: 'eu-west-1' } },
    deleteDataCenterKey: { params: { region: 'eu-west-1', keyId: dataCenterKey.id } },
    listPrivateLocations: {},
    createPrivateLocation: { body: { name: 'Attic', slugName: 'attic' } },
    getPrivateLocation: ofLocation,
    updatePrivateLocation: { ...ofLocation, body: { name: 'Vault' } },
    createLocationKey: ofLocation,
    getLocationMetrics: { ...ofLocation, query: { from: Date.now() - 3_600_000, to: Date.now() } },
    listVariables: {},
    createVariable: { body: { key: 'PORT', value: '443' } },
    getVariable: { params: { key: variable.key } },
    updateVariable: { params: { key: variable.key }, body: { value: 'shop.example' } },
    listSnippets: {},
    createSnippet: { body: { name: 'log-out', script: 'export {}' } },
    getSnippet: { params: { id: snippet.id } },
    updateSnippet: { params: { id: snippet.id }, body: { name: 'sign-in', script: 'export {}' } },
    listClientCertificates: {},
    createClientCertificate: { body: { host: '*.shop.test', ...pair } },
    getClientCertificate: { params: { id: certificate.id } },
    listMaintenanceWindows: {},
    createMaintenanceWindow: { body: nextWeek },
    getMaintenanceWindow: { params: { id: window.id } },
    updateMaintenanceWindow: { params: { id: window.id }, body: { repeatUnit: 'MONTH' } },
    listRuntimes: {},
    getRuntime: { params: { id: '2025.04' } },
    listStaticIps: {},
    staticIpsByRegion: {},
    staticIpsText: {},
    listStaticIpv6s: {},
    staticIpv6sByRegion: {},
    staticIpv6sText: {},
    runnerSignIn: { body: { name: 'r', version: '1', kinds: ['API'] } },
    runnerHeartbeat: { body: ofRunner },
    uploadPlaywrightBundle: { file: Uint8Array.from(projectOf({ 'a.spec.ts': '' })) },
    // A runner with a lease is another matter.
    fetchBundle: { params: { sha256: 'ab'.repeat(32) }, query: { runnerId: runner.id, leaseId: 'x' }, refused: 404 },
    leaseRuns: { body: { runnerId: runner.id, capacity: 1, horizonMs: 0, waitMs: 0 } },
    // A file and not JSON is wanted, and there is none of this run: see http/assets.
    uploadAsset: {
      params: { leaseId: run.leaseId, name: '0-trace.zip' },
      query: { type: 'trace', contentType: '' },
      refused: 400,
    },
    readAsset: { params: ofAsset, refused: 404 },
    listResultAssets: { params: { checkId: check.id, checkResultId: resultId } },
    reportRuns: { body: { runnerId: runner.id, reports: [aReport(run, 'failed')] } },
    getSetUpState: {},
    setUp: { body: { token: setUpToken, ...person } },
    readInvitation: { body: { token: toAccept.token } },
    acceptInvitation: { body: { ...person, name: 'dave', token: toAccept.token } },
    signIn: { body: person },
    getMe: {},
    switchAccount: { body: { accountId: server.accountId } },
    changePassword: { body: { currentPassword: person.password, newPassword: 'wrong horse battery' } },
    listApiKeys: {},
    createApiKey: { body: { name: 'laptop' } },
    listServiceKeys: {},
    createServiceKey: { body: { name: 'deploy', role: 'READ_RUN' } },
    listAccounts: {},
    getMyAccount: {},
    updateMyAccount: { body: { name: 'Ours', settings: { allowBadges: false } } },
    getAccount: ofAccount,
    createAccount: { body: { name: 'Another' } },
    getEntitlements: ofAccount,
    listMembers: ofAccount,
    updateMember: { ...ofBob, body: { role: 'READ_WRITE' } },
    createInvitation: { ...ofAccount, body: { role: 'READ_WRITE' } },
    listAuditLog: {},
    getHealth: {},
    getOperations: {},
    analyzeApiCheck: { ...ofCheck, query: { metrics: 'availability,responseTime_p95' } },
    analyzeGrpc: { params: { id: kinds.grpc.id }, query: { metrics: 'availability' } },
    analyzeUrlMonitor: { params: { id: kinds.url.id }, query: { metrics: 'availability' } },
    analyzeBrowserCheck: { params: { id: kinds.browser.id }, query: { metrics: 'availability' } },
    analyzeMultiStepCheck: { params: { id: kinds.multiStep.id }, query: { metrics: 'availability' } },
    analyzeSuite: { params: { id: kinds.suite.id }, query: { metrics: 'availability' } },
    analyzeIcmpMonitor: { params: { id: kinds.icmp.id }, query: { metrics: 'availability' } },
    analyzeSslMonitor: { params: { id: kinds.ssl.id }, query: { metrics: 'availability' } },
    analyzeTcpCheck: { params: { id: kinds.tcp.id }, query: { metrics: 'availability' } },
    analyzeDnsMonitor: { params: { id: kinds.dns.id }, query: { metrics: 'availability' } },
    analyzeHeartbeat: { params: { id: heartbeat.id }, query: { metrics: 'availability' } },
    listMetrics: { query: { checkType: 'API' } },
    analyzeChecks: { body: { checkIds: [check.id] } },
    report: {},
    exportMetrics: { params: { accountId: server.accountId }, key: metricsToken.rawKey },
    listMetricsTokens: {},
    createMetricsToken: { body: { name: 'collector' } },
    // What ends something comes last.
    deleteMetricsToken: { params: { id: metricsToken.id } },
    ...pages.ending,
    deleteVariable: { params: { key: variable.key } },
    deleteSnippet: { params: { id: snippet.id } },
    deleteClientCertificate: { params: { id: certificate.id } },
    deleteMaintenanceWindow: { params: { id: window.id } },
    deleteAlertChannel: ofChannel,
    deleteLocationKey: { params: { id: location.id, keyId } },
    deletePrivateLocation: ofLocation,
    withdrawAcknowledgement: ofCheck,
    deleteCheckTrigger: { params: { checkId: kinds.browser.id } },
    deleteGroupTrigger: { params: { groupId: emptyGroup.id } },
    deleteCheckGroup: { params: { id: emptyGroup.id } },
    deleteCheck: ofCheck,
    deleteApiKey: { params: { id: userKeyId } },
    deleteServiceKey: { params: { id: serviceKey.id } },
    deleteInvitation: { params: { accountId: server.accountId, id: toDelete.id } },
    deleteMember: ofBob,
    deleteAccount: { params: { accountId: await server.addAccount() } },
    runnerSignOut: { body: ofRunner },
    joinByInvitation: { body: { token: other.invitation?.token } },
    signOut: {},
    transferOwnership: { ...ofAccount, body: { userId: carol } },
  }
  return { samples, runnerKey: runner.key, check, channel, location }
}

/** In a location without a runner, where it is refused at once, as is a kind that no runner can run. */
function tryOut(kind: CheckKind, body: object): Sample {
  const canRun = RUNNABLE_KINDS.some((runnable) => runnable === kind)
  return { query: { runLocation: 'cellar' }, body, refused: canRun ? 503 : 409 }
}

function aScript(msAgo: number): GivenResult {
  const answer = { kind: 'BROWSER' as const, content: scriptRun({ tests: [scriptTest('buys', [])] }) }
  return { atMs: Date.now() - msAgo, verdict: 'passed', responseTimeMs: 1000, location: 'us-east-1', answer }
}

const daily = { period: 1, periodUnit: 'days', grace: 1, graceUnit: 'hours' } as const

async function oneOfEachKind(server: TestServer) {
  const { call } = server
  await knowBundle(server)
  const request = { url: 'http://shop.test/' }
  return {
    browser: await call(routes.createBrowserCheck, { body: { name: 'Browser', script: '' } }),
    multiStep: await call(routes.createMultiStepCheck, { body: { name: 'Steps', script: '' } }),
    suite: await call(routes.createPlaywrightCheck, { body: { name: 'Suite', codeBundlePath: BUNDLE_PATH } }),
    icmp: await call(routes.createIcmpCheck, { body: { name: 'Gateway', request: { hostname: 'shop.test' } } }),
    ssl: await call(routes.createSslCheck, {
      body: { name: 'Certificate', request: { sslConfig: { hostname: 'shop.test' } } },
    }),
    tcp: await call(routes.createTcpCheck, { body: { name: 'Port', request: { hostname: 'shop.test', port: 443 } } }),
    grpc: await call(routes.createGrpcCheck, { body: { name: 'Orders', request: { url: 'shop.test' } } }),
    url: await call(routes.createUrlCheck, { body: { name: 'Page', request } }),
    dns: await call(routes.createDnsCheck, {
      body: { name: 'Zone', request: { query: 'shop.test', recordType: 'A' }, heartbeat: {}, script: '' },
    }),
  }
}

/** A further key of the person for whom the initial one acts. */
async function keyOfOwner({ db }: TestServer): Promise<string> {
  const { user_id } = await db
    .selectFrom('api_keys')
    .select('user_id')
    .where('name', '=', 'Initial key')
    .executeTakeFirstOrThrow()
  const { hash, lastCharacters } = newKey('user')
  const { id } = await db
    .insertInto('api_keys')
    .values({ key_hash: hash, name: 'phone', last_characters: lastCharacters, user_id })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

function isOpen(policy: Policy): boolean {
  return policy === 'public' || policy === 'token'
}

function isByRole(policy: Policy): policy is Exclude<Policy, 'public' | 'token' | 'session' | 'runner'> {
  return !isOpen(policy) && policy !== 'session' && policy !== 'runner'
}

function pathFor(route: Route, { params, query }: Sample): string {
  const parts: Parts<Route> = {}
  return pathOf(route, Object.assign(parts, { params, query }))
}

function namesOf(samples: object): Name[] {
  return Object.keys(samples).flatMap((name) => (isName(name) ? [name] : []))
}

function isName(name: string): name is Name {
  return Object.hasOwn(routes, name)
}

const names = namesOf(routes)

test('every route turns away whoever has no key, a wrong key or a key of another sort', async (t) => {
  const server = await startTestServer(t)
  const runnerKey = (await signInRunner(server)).key
  for (const name of names) {
    const route: Route = routes[name]
    const path = route.path.replaceAll(/\{\w+\}/g, randomUUID())
    const strangers = {
      'no key': null,
      'a wrong key': 'cu_00000000000000000000000000000000',
      'a key of another sort': route.policy === 'runner' ? server.apiKey : runnerKey,
    }
    for (const [who, key] of Object.entries(strangers)) {
      const { status, body } = await server.send(route.method, path, { key })
      if (name === 'exportMetrics') assert.equal(status, 401, `${name} with ${who}`)
      else if (isOpen(route.policy)) assert.notEqual(status, 401, `${name} with ${who}`)
      else {
        assert.equal(status, 401, `${name} with ${who}`)
        assert.deepEqual(body, {
          statusCode: 401,
          error: 'Unauthorized',
          message: 'Bad Token',
          attributes: {},
        })
      }
    }
    if (route.policy !== 'session') continue
    assert.equal((await server.send(route.method, path)).status, 401, `${name} without a session`)
  }
})

test('every route lets a role do what it may and refuses the rest', async (t) => {
  const server = await startTestServer(t)
  const keys = new Map<Role, string>()
  for (const role of ROLES) keys.set(role, await server.keyFor(role))
  for (const name of names) {
    const { method, path, policy }: Route = routes[name]
    if (!isByRole(policy)) continue
    for (const [role, key] of keys) {
      // Nothing is there under such an id, and nothing is sent: what is let in does no harm.
      const { status } = await server.send(method, path.replaceAll(/\{\w+\}/g, randomUUID()), { key })
      if (policy !== 'operator' && isAllowed(role, policy))
        assert.ok(![401, 403, 500].includes(status), `${role} may ${name}: ${status}`)
      else assert.equal(status, 403, `${role} may not ${name}`)
    }
    if (policy !== 'operator') continue
    const asOperator = await server.send(method, path.replaceAll(/\{\w+\}/g, randomUUID()))
    assert.ok(![401, 403, 500].includes(asOperator.status), `operators may ${name}: ${asOperator.status}`)
  }
})

test('what belongs to another account is as if it did not exist', async (t) => {
  const server = await startTestServer(t)
  const { samples, check, channel, location } = await aFullAccount(server)
  const stranger = await server.keyFor('OWNER', await server.addAccount())
  for (const name of namesOf(samples)) {
    const route: Route = routes[name]
    const sample = samples[name]
    if (!isByRole(route.policy)) continue
    if (sample.params === undefined) continue
    const { status } = await server.send(route.method, pathFor(route, sample), { key: stranger, body: sample.body })
    // What all accounts share is not for the owner of one of them.
    assert.equal(status, route.policy === 'operator' ? 403 : 404, name)
  }
  const lists = [routes.listChecks, routes.overviewChecks, routes.listCheckStatuses, routes.listAlertChannels]
  const configured = [routes.listVariables, routes.listSnippets, routes.listMaintenanceWindows]
  const logs = [routes.listAlertNotifications, routes.listCheckAlerts]
  for (const route of [...lists, ...configured, ...logs, routes.listPrivateLocations])
    assert.deepEqual(await server.call(route, { key: stranger }), [], route.path)
  assert.equal((await server.call(routes.summariseChecks, { key: stranger })).total, 0)
  assert.deepEqual((await server.call(routes.getOperations, { key: stranger })).missed, [])
  const demand = await server.send('POST', routes.triggerSessions.path, {
    key: stranger,
    body: { target: { checkId: check.id } },
  })
  assert.equal(demand.status, 404)

  for (const [field, body] of [
    ['privateLocations', { privateLocations: [location.slugName] }],
    ['alertChannelSubscriptions', { alertChannelSubscriptions: [{ alertChannelId: channel.id, activated: true }] }],
  ] as const) {
    const request = { url: 'http://shop.test/', method: 'GET' }
    const refused = await server.send('POST', routes.createApiCheck.path, {
      key: stranger,
      body: { name: 'Theirs', request, ...body },
    })
    assert.equal(refused.status, 400)
    assert.deepEqual(Reflect.get(Object(refused.body), 'validation'), { source: 'payload', keys: [field] })
  }
})

test('the account header opens the own account and no other', async (t) => {
  const server = await startTestServer(t)
  const other = await server.addAccount()
  for (const key of [server.apiKey, await server.keyFor('OWNER')]) {
    const as = async (account: string) =>
      (await server.send('GET', '/v1/checks', { key, headers: { 'x-service-account': account } })).status
    assert.deepEqual([await as(server.accountId), await as(other), await as('nobody')], [200, 403, 403])
    assert.equal(await as(server.accountId.toUpperCase()), 200)
  }
})

/** Asks for everything, in the order of the samples. */
async function askForEverything(
  server: TestServer,
  { samples, runnerKey }: Awaited<ReturnType<typeof aFullAccount>>,
  look: (name: Name, route: Route, answer: { status: number; body: unknown }) => Promise<void> | void,
): Promise<void> {
  let cookie = ''
  for (const name of namesOf(samples)) {
    const route: Route = routes[name]
    const sample = samples[name]
    const headers: Record<string, string> = route.policy === 'session' ? { cookie, origin: server.url } : {}
    const ofPolicy =
      route.policy === 'runner' ? runnerKey : route.policy === 'session' || isOpen(route.policy) ? null : server.apiKey
    const answer = await server.send(route.method, pathFor(route, sample), {
      key: sample.key ?? ofPolicy,
      headers: { ...headers, ...(sample.file === undefined ? {} : { 'content-type': 'application/gzip' }) },
      ...(sample.file === undefined ? {} : { text: sample.file }),
      ...(sample.body === undefined ? {} : { body: sample.body }),
    })
    if (sample.refused !== undefined) {
      assert.equal(answer.status, sample.refused, name)
      continue
    }
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
    assert.ok(Object.hasOwn(route.answers, answer.status), `${name}: ${answer.status} ${JSON.stringify(answer.body)}`)
    await look(name, route, answer)
  }
}

test('every route answers in the shape that it declares', async (t) => {
  const server = await startTestServer(t)
  await askForEverything(server, await aFullAccount(server), (name, route, { status, body }) => {
    const shape = route.answers[status]
    if (shape === null || shape === undefined) assert.equal(body, '', name)
    else assert.doesNotThrow(() => validate(shape, body, 'query'), `${name}: ${JSON.stringify(body)}`)
  })
})

test('every operation that changes something leaves one line in the audit log, and no secret', async (t) => {
  const server = await startTestServer(t)
  const account = await aFullAccount(server)
  const lines = () => server.db.selectFrom('audit_log').selectAll().orderBy('id').execute()
  let before = (await lines()).length
  const secrets = [CANARY, server.apiKey]
  const wrong: string[] = []
  await askForEverything(server, account, async (name, route, { body }) => {
    const all = await lines()
    // What a reader may call changes nothing: many checks are measured by a POST, because their ids are.
    if (isByRole(route.policy) && route.policy !== 'read' && route.method !== 'GET') {
      const added = all.slice(before).map(({ operation }) => operation)
      const expected = `${route.method} ${route.path}`
      if (added.join() !== expected) wrong.push(`${name}: ${added.join() || 'nothing'}`)
    }
    before = all.length
    for (const field of ['rawKey', 'token']) {
      const secret: unknown = Reflect.get(Object(body), field)
      if (typeof secret === 'string' && secret !== '') secrets.push(secret)
    }
    const text = JSON.stringify(all)
    for (const secret of secrets) assert.ok(!text.includes(secret), `${name} left a secret in the audit log`)
  })
  assert.deepEqual(wrong, [])
})
