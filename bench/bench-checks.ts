/**
 * For every kind that runs: a check as a client would create it, the target that it looks at, and the bare operation
 * that it is compared with.
 */
import type { BodyOf, NetworkKind, routes } from '../packages/schema/src/index.ts'
import type { BareOperation } from './bare-operations.ts'
import type { Protocol } from './target.ts'

export type NewCheck = BodyOf<typeof routes.createCheck>

export interface BenchedKind<C extends NewCheck = NewCheck> {
  /** Null: loopback itself is the target. */
  target: Protocol | null
  bare: BareOperation
  /** For the sentence: CPU of …, against … */
  bareName: string
  /** Checks a second. */
  rate: number
  check(port: number): C
}

/** Served by the server’s own runner. */
export const LOCATION = 'eu-west-1'

/** Every 10 seconds. */
const scheduled = {
  activated: true,
  frequency: 0,
  frequencyOffset: 10,
  locations: [LOCATION],
  retryStrategy: null,
} as const

const url = (scheme: 'http' | 'https', port: number) => `${scheme}://127.0.0.1:${port}/`
const statusIs200 = { source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' } as const

export const apiCheck = (scheme: 'http' | 'https', port: number) => ({
  ...scheduled,
  checkType: 'API' as const,
  name: 'API',
  request: {
    method: 'GET' as const,
    url: url(scheme, port),
    skipSSL: true,
    assertions: [
      statusIs200,
      { source: 'JSON_BODY' as const, comparison: 'EQUALS' as const, property: '$.user.name', target: 'Ada' },
    ],
  },
})

/** Kinds that run scripts are held against Playwright’s own command: see `playwright`. */
export const benchedKinds: { readonly [K in NetworkKind]: BenchedKind<Extract<NewCheck, { checkType: K }>> } = {
  API: {
    target: 'http',
    bare: 'http',
    bareName: 'a request of node:http',
    rate: 500,
    check: (port) => apiCheck('http', port),
  },
  URL: {
    target: 'http',
    bare: 'http',
    bareName: 'a request of node:http',
    rate: 500,
    check: (port) => ({
      ...scheduled,
      checkType: 'URL',
      name: 'URL',
      request: { url: url('http', port), assertions: [statusIs200] },
    }),
  },
  TCP: {
    target: 'tcp',
    bare: 'tcp',
    bareName: 'a connection of node:net',
    rate: 500,
    check: (port) => ({ ...scheduled, checkType: 'TCP', name: 'TCP', request: { hostname: '127.0.0.1', port } }),
  },
  DNS: {
    target: 'dns',
    bare: 'dns',
    bareName: 'a question of a dns.Resolver',
    rate: 500,
    check: (port) => ({
      ...scheduled,
      checkType: 'DNS',
      name: 'DNS',
      request: {
        query: 'shop.test',
        recordType: 'A',
        nameServer: '127.0.0.1',
        port,
        protocol: 'UDP',
        assertions: [
          { source: 'JSON_ANSWER', comparison: 'EQUALS', property: '$.Answer[0].data', target: '192.0.2.1' },
        ],
      },
      heartbeat: {},
      script: '',
    }),
  },
  ICMP: {
    target: null,
    bare: 'ping',
    bareName: 'a process of ping',
    rate: 50,
    check: () => ({
      ...scheduled,
      checkType: 'ICMP',
      name: 'ICMP',
      request: { hostname: '127.0.0.1', pingCount: 1 },
    }),
  },
  GRPC: {
    target: 'grpc',
    bare: 'grpc',
    bareName: 'a call by node:http2',
    rate: 250,
    check: (port) => ({
      ...scheduled,
      checkType: 'GRPC',
      name: 'GRPC',
      request: {
        url: '127.0.0.1',
        port,
        grpcConfig: { mode: 'HEALTH', tls: false },
        assertions: [{ source: 'GRPC_HEALTHCHECK_STATUS', comparison: 'EQUALS', target: 'SERVING' }],
      },
    }),
  },
  SSL: {
    target: 'https',
    bare: 'tls',
    bareName: 'a handshake of node:tls',
    rate: 250,
    check: (port) => ({
      ...scheduled,
      checkType: 'SSL',
      name: 'SSL',
      request: { sslConfig: { hostname: '127.0.0.1', port, skipChainValidation: true } },
    }),
  },
}
