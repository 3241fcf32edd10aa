/** What tests are about, with sensible rests. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'
import type { TestContext } from 'node:test'
import { type EgressPolicy, egressPolicy } from '@vedette/core'
import type { ApiRequest, ApiSettings, DnsRequest, DnsSettings, LeasedRunOf, RunReport } from '@vedette/schema'
import { Dialer } from '../probes/http/dialer.ts'
import { Names } from '../probes/http/names.ts'
import type { RunContext } from '../probes/probe.ts'

export function apiSettings(request: Partial<ApiRequest>, rest: Partial<ApiSettings> = {}): ApiSettings {
  return {
    request: { method: 'GET', url: 'http://127.0.0.1:1/', ...request },
    shouldFail: false,
    degradedResponseTime: 5000,
    maxResponseTime: 20_000,
    ...rest,
  }
}

export function dnsSettings(request: Partial<DnsRequest>, rest: Partial<DnsSettings> = {}): DnsSettings {
  return {
    request: { query: 'shop.test', recordType: 'A', ...request },
    shouldFail: false,
    degradedResponseTime: 500,
    maxResponseTime: 1000,
    ...rest,
  }
}

export function leasedRun(request: Partial<ApiRequest>, rest: Partial<LeasedRunOf<'API'>> = {}): LeasedRunOf<'API'> {
  return {
    leaseId: randomUUID(),
    checkId: randomUUID(),
    location: 'eu-west-1',
    attempt: 1,
    dueInMs: 0,
    dueAtMs: Date.UTC(2026, 0, 1),
    kept: null,
    keepDetail: false,
    proxyUrl: null,
    variables: [],
    scripts: null,
    certificates: [],
    kind: 'API',
    settings: apiSettings(request),
    ...rest,
  }
}

/** What an API check's report keeps of the answer. */
export const contentOf = ({ detail }: RunReport) => (detail?.kind === 'API' ? detail.content : undefined)

export const builtIn: EgressPolicy = egressPolicy('check-built-in')

export function runContext(
  rest: Partial<RunContext> & { nameServers?: string[]; egress?: EgressPolicy } = {},
): RunContext {
  const { nameServers, egress = builtIn, limitMs = 5000, ...given } = rest
  const names = new Names(nameServers === undefined ? {} : { servers: nameServers })
  return {
    limitMs,
    signal: AbortSignal.timeout(limitMs),
    dialer: new Dialer(names, egress),
    proxyUrl: null,
    keepBytes: 25 * 1024 * 1024,
    variables: [],
    scripts: null,
    certificates: [],
    ...given,
  }
}

/** A TCP server on loopback; gives its port. All its connections end with the test. */
export async function listen(t: TestContext, onConnection: (socket: net.Socket) => void): Promise<number> {
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    onConnection(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return portOf(server)
}

export function portOf(server: net.Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

/** An HTTP server that says the same to everyone; gives its port. */
export function answering(t: TestContext, answer: string | Buffer): Promise<number> {
  return listen(t, (socket) => socket.once('data', () => socket.end(answer)))
}
