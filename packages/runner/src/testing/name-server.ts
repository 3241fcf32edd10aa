/** A name server on loopback that does what a test wants: by UDP and TCP on one port, over TLS and over HTTPS. */
import dgram from 'node:dgram'
import { once } from 'node:events'
import http2 from 'node:http2'
import https from 'node:https'
import net from 'node:net'
import type { TestContext } from 'node:test'
import tls from 'node:tls'
import {
  type DnsFlags,
  type DnsMessage,
  type DnsRecord,
  decodeMessage,
  encodeMessage,
  encodeName,
  RECORD_TYPES,
} from '@vedette/core'
import type { DnsProtocol } from '@vedette/schema'
import { portOf } from './builders.ts'
import type { Certificate } from './certificates.ts'

/** Each of the messages is sent, as it is; none is silence. */
export type Reply = (query: DnsMessage, protocol: DnsProtocol) => Uint8Array[]

/** The address of a name server, in the words of a check. */
export interface Whereabouts {
  nameServer: string
  port: number
}

export async function startNameServer(t: TestContext, reply: Reply): Promise<Whereabouts> {
  const server = net.createServer((socket) => serve(socket, (query) => reply(query, 'TCP')))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeAfter(t, server)
  const port = portOf(server)
  const datagrams = dgram.createSocket('udp4')
  datagrams.on('message', (bytes, from) => {
    for (const message of reply(decodeMessage(bytes), 'UDP')) datagrams.send(message, from.port, from.address)
  })
  datagrams.bind(port, '127.0.0.1')
  await once(datagrams, 'listening')
  t.after(() => datagrams.close())
  return { nameServer: '127.0.0.1', port }
}

export async function startTlsNameServer(t: TestContext, certificate: Certificate, reply: Reply): Promise<Whereabouts> {
  const server = tls.createServer({ ...certificate, ALPNProtocols: ['dot'] }, (socket) =>
    serve(socket, (query) => reply(query, 'DOT')),
  )
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeAfter(t, server)
  return { nameServer: 'localhost', port: portOf(server) }
}

interface Head {
  status?: number
  type?: string
}

export async function startHttpsNameServer(
  t: TestContext,
  certificate: Certificate,
  reply: Reply,
  head: Head = {},
): Promise<Whereabouts & { paths: string[] }> {
  const paths: string[] = []
  const server = https.createServer(certificate, (request, response) => {
    const url = new URL(request.url ?? '/', 'https://localhost')
    paths.push(url.pathname)
    const query = decodeMessage(Buffer.from(url.searchParams.get('dns') ?? '', 'base64url'))
    const [message] = reply(query, 'DOH')
    response.writeHead(head.status ?? 200, { 'content-type': head.type ?? 'application/dns-message' })
    if (message !== undefined) response.end(message)
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { nameServer: 'localhost', port: portOf(server), paths }
}

/** Over HTTPS too, but HTTP/2 is all that it speaks. */
export async function startHttp2NameServer(
  t: TestContext,
  certificate: Certificate,
  reply: Reply,
  head: Head = {},
): Promise<Whereabouts> {
  const sessions = new Set<http2.ServerHttp2Session>()
  const server = http2.createSecureServer(certificate)
  server.on('session', (session) => {
    sessions.add(session)
    session.on('error', () => {})
    session.once('close', () => sessions.delete(session))
  })
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    const url = new URL(headers[':path'] ?? '/', 'https://localhost')
    const query = decodeMessage(Buffer.from(url.searchParams.get('dns') ?? '', 'base64url'))
    const [message] = reply(query, 'DOH')
    stream.respond({ ':status': head.status ?? 200, 'content-type': head.type ?? 'application/dns-message' })
    if (message !== undefined) stream.end(message)
  })
  server.on('unknownProtocol', (socket) => socket.destroy())
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const session of sessions) session.destroy()
    server.close()
  })
  return { nameServer: 'localhost', port: portOf(server) }
}

function serve(socket: net.Socket, reply: (query: DnsMessage) => Uint8Array[]): void {
  let received = Buffer.alloc(0)
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const end = 2 + received.readUInt16BE(0)
      const query = decodeMessage(received.subarray(2, end))
      received = received.subarray(end)
      for (const message of reply(query)) socket.write(framed(message))
    }
  })
}

export function framed(message: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([message.length >> 8, message.length & 255]), message])
}

function closeAfter(t: TestContext, server: net.Server): void {
  const sockets = new Set<net.Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
}

interface Said {
  rcode?: number
  flags?: Partial<DnsFlags>
  id?: number
  questions?: DnsMessage['questions']
  answers?: DnsRecord[]
  authorities?: DnsRecord[]
  additionals?: DnsRecord[]
}

const EXTENSIONS = { name: '.', type: RECORD_TYPES.OPT, class: 1232, ttl: 0x8000, data: new Uint8Array() }

/** The answer of a name server that does as it should, but for what is said otherwise. */
export function answerTo(query: DnsMessage, { flags, ...said }: Said = {}): Uint8Array {
  return encodeMessage({
    id: query.id,
    opcode: 0,
    rcode: 0,
    questions: query.questions,
    answers: [],
    authorities: [],
    additionals: [EXTENSIONS],
    ...said,
    flags: { qr: true, aa: false, tc: false, rd: true, ra: true, ad: false, cd: false, ...flags },
  })
}

export function record(type: keyof typeof RECORD_TYPES, data: Uint8Array, name = 'shop.test.'): DnsRecord {
  return { name, type: RECORD_TYPES[type], class: 1, ttl: 300, data }
}

export const a = (address: string) => record('A', Uint8Array.from(address.split('.').map(Number)))

export function nameData(name: string, ...before: number[]): Uint8Array {
  const bytes = encodeName(name)
  if (bytes === null) throw new Error(`${name} is no domain name`)
  return Uint8Array.from([...before, ...bytes])
}
