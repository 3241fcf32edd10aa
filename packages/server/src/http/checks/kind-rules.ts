/** What the schemas of the kinds cannot say. Each rule returns the settings as they are kept. */
import {
  parseIp,
  pathBelow,
  problemOfAssertion,
  problemOfHost,
  problemOfQuery,
  problemOfSchedule,
  readTestCommand,
} from '@vedette/core'
import {
  type CheckKind,
  ENCRYPTED_DNS_PROTOCOLS,
  isGrpcMethod,
  PLAYWRIGHT_VERSIONS,
  runtimeOfPlaywright,
  SUITE_NODE,
} from '@vedette/schema'
import { invalidField } from '../../app-error.ts'
import type { SettingsOf } from '../../checks/check.ts'
import { problemOfPath } from './dependency-path.ts'

type Rules = { [K in CheckKind]: (settings: SettingsOf<K>) => void }

/** @throws AppError `invalid` for the first field that breaks a rule. */
export function assertRules<K extends CheckKind>(kind: K, settings: SettingsOf<K>): void {
  rules[kind](settings)
}

const rules: Rules = {
  API: ({ request }) => {
    assertUrl(request.url)
    assertAssertions(request.assertions)
  },
  URL: ({ request }) => {
    assertUrl(request.url)
    assertAssertions(request.assertions)
  },
  TCP: ({ request }) => {
    assertHost('request.hostname', request.hostname)
    assertAssertions(request.assertions)
  },
  DNS: ({ request }) => {
    const { nameServer, port } = request
    if (nameServer !== undefined && port === undefined)
      throw invalidField('request.port', 'is required with nameServer')
    if (nameServer === undefined && port !== undefined)
      throw invalidField('request.nameServer', 'is required with port')
    if (nameServer !== undefined) assertHost('request.nameServer', nameServer)
    if (nameServer === undefined && ENCRYPTED_DNS_PROTOCOLS.some((one) => one === request.protocol)) {
      throw invalidField('request.nameServer', `is required with protocol ${request.protocol}`)
    }
    if (request.path !== undefined && !/^\/[\x21-\x7e]*$/.test(request.path)) {
      throw invalidField('request.path', 'must begin with / and have no spaces')
    }
    const problem = problemOfQuery(request.query)
    if (problem !== null) throw invalidField('request.query', problem)
    assertAssertions(request.assertions)
  },
  GRPC: ({ request }) => {
    assertHost('request.url', request.url)
    const { mode = 'HEALTH', method = '', serviceDefinition, protoContent = '' } = request.grpcConfig ?? {}
    if (mode === 'BEHAVIOR' && !isGrpcMethod(method))
      throw invalidField('request.grpcConfig.method', 'must name a method, such as shop.Orders/Get')
    if (mode === 'BEHAVIOR' && serviceDefinition === 'PROTO_FILE' && protoContent.trim() === '')
      throw invalidField('request.grpcConfig.protoContent', 'is required with PROTO_FILE')
    assertMetadata(request.grpcConfig?.metadata ?? [])
    assertAssertions(request.assertions)
  },
  ICMP: ({ request }) => {
    assertHost('request.hostname', request.hostname)
    assertAssertions(request.assertions)
  },
  SSL: ({ request }) => {
    const { hostname, serverName = null, clientCertificateMode } = request.sslConfig
    assertPlainHost('request.sslConfig.hostname', hostname)
    if (serverName !== null) assertName('request.sslConfig.serverName', serverName)
    if (clientCertificateMode === 'explicit' && (request.sslClientCertificateId ?? null) === null)
      throw invalidField('request.sslClientCertificateId', 'is required with clientCertificateMode explicit')
    assertAssertions(request.assertions)
  },
  BROWSER: (settings) => {
    assertFiles(settings)
    if (settings.sslCheckDomain) assertHost('sslCheckDomain', settings.sslCheckDomain)
  },
  MULTI_STEP: (settings) => {
    assertFiles(settings)
    const { runtimeId } = settings
    if (runtimeId !== null && WITHOUT_MULTI_STEP.includes(runtimeId)) {
      throw invalidField('runtimeId', `must be a runtime with multi-step support: ${runtimeId} has none`)
    }
  },
  PLAYWRIGHT: assertSuite,
  HEARTBEAT: ({ heartbeat }) => {
    const period = heartbeat.period * UNIT_SECONDS[heartbeat.periodUnit]
    const grace = heartbeat.grace * UNIT_SECONDS[heartbeat.graceUnit]
    if (period < 30 || period > YEAR_SECONDS) throw invalidField('heartbeat.period', 'must be 30 seconds to 365 days')
    if (grace > YEAR_SECONDS) throw invalidField('heartbeat.grace', 'must be 365 days or less')
    const problem = heartbeat.schedule ? problemOfSchedule(heartbeat.schedule) : null
    if (problem !== null) throw invalidField(`heartbeat.schedule.${problem.field}`, problem.reason)
  },
}

/** What a suite asks for that no runner does is refused, rather than left out in silence. */
function assertSuite(settings: SettingsOf<'PLAYWRIGHT'>): void {
  const { testCommand, installCommand, browsers, playwrightVersion, workingDir, engine, engineVersion } = settings
  const { problem } = readTestCommand(testCommand ?? null)
  if (problem !== null) throw invalidField('testCommand', problem)
  if ((installCommand ?? '').trim() !== '') {
    throw invalidField(
      'installCommand',
      'must be empty: a suite runs without a network to install from. Put node_modules into its bundle',
    )
  }
  const other = browsers?.find((browser) => browser !== 'chromium')
  if (other !== undefined) throw invalidField('browsers', `must be chromium: runners have no ${other}`)
  if (engine === 'bun') throw invalidField('engine', 'must be node: runners have no bun')
  if (engineVersion != null && engineVersion.replace(/^v/, '').split('.')[0] !== SUITE_NODE) {
    throw invalidField('engineVersion', `must be null or ${SUITE_NODE}: runners have no other version of Node.js`)
  }
  if (playwrightVersion != null && runtimeOfPlaywright(playwrightVersion) === undefined) {
    throw invalidField('playwrightVersion', `must be null or one that runners bring: ${PLAYWRIGHT_VERSIONS.join(', ')}`)
  }
  if (workingDir != null && !/^\.?\/?$/.test(workingDir)) assertFolder(workingDir)
}

function assertFolder(path: string): void {
  try {
    pathBelow(path)
  } catch (error) {
    throw invalidField(
      'workingDir',
      `must be a folder of the bundle: ${error instanceof Error ? error.message : error}`,
    )
  }
}

/** Lower-case names of HTTP/2; those of gRPC itself are not for users. */
function assertMetadata(metadata: readonly { key: string; value: string }[]): void {
  for (const [index, { key, value }] of metadata.entries()) {
    const field = `request.grpcConfig.metadata.${index}`
    if (!/^[0-9a-z_.-]{1,256}$/i.test(key) || /^(?:grpc-|:|te$|content-type$|connection$|host$)/i.test(key))
      throw invalidField(`${field}.key`, 'is no name that may be sent')
    if (!/^[\x20-\x7e]{0,8192}$/.test(value))
      throw invalidField(`${field}.value`, 'must be visible ASCII, 8192 characters at most')
  }
}

/** Older runtimes run browser checks only. */
const WITHOUT_MULTI_STEP: readonly string[] = ['2023.02', '2022.10']
const UNIT_SECONDS = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const
const YEAR_SECONDS = 365 * 86_400

/** Templates may stand in a URL, so only what is plainly wrong is refused. */
function assertUrl(url: string): void {
  if (url.includes('{{')) return
  if (!/^https?:\/\//i.test(url)) throw invalidField('request.url', 'must begin with http:// or https://')
  if (!URL.canParse(url)) throw invalidField('request.url', 'must be a valid URL')
}

function assertHost(field: string, host: string): void {
  if (!host.includes('{{')) assertPlainHost(field, host)
}

function assertPlainHost(field: string, host: string): void {
  const problem = problemOfHost(host)
  if (problem !== null) throw invalidField(field, problem)
}

/** What is asked for in the handshake and stands in a certificate, which an address is not. */
function assertName(field: string, name: string): void {
  if (problemOfHost(name) !== null || parseIp(name.replace(/^\[|\]$/g, '')) !== null)
    throw invalidField(field, 'must be a host name and no address')
}

function assertAssertions(assertions: Parameters<typeof problemOfAssertion>[0][] | undefined): void {
  assertions?.forEach((assertion, index) => {
    const problem = problemOfAssertion(assertion)
    if (problem !== null) throw invalidField(`request.assertions.${index}.${problem.property}`, problem.reason)
  })
}

function assertFiles({ dependencies }: { dependencies?: { path: string }[] | null | undefined }): void {
  const seen = new Set<string>()
  dependencies?.forEach(({ path }, index) => {
    const problem = problemOfPath(path) ?? (seen.has(path) ? 'is there twice' : null)
    if (problem !== null) throw invalidField(`dependencies.${index}.path`, problem)
    seen.add(path)
  })
}
