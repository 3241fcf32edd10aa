/** The target of the benchmarks, a process of its own on loopback: `node target.ts <protocol>` tells its port. */
import { execFileSync } from 'node:child_process'
import dgram from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const BODY = JSON.stringify({ user: { name: 'Ada' }, items: [1, 2, 3] })

const answer: http.RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(BODY) })
  response.end(BODY)
}

function certificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-bench-'))
  const key = join(folder, 'key.pem')
  const cert = join(folder, 'cert.pem')
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '200']
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' })
  const pair = { key: readFileSync(key), cert: readFileSync(cert) }
  rmSync(folder, { recursive: true })
  return pair
}

async function listen(server: net.Server): Promise<number> {
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 })
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The target has no port.')
  return address.port
}

/** Knows one address of every name. */
async function listenForNames(): Promise<number> {
  const socket = dgram.createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 })
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 1, 44, 0, 4, 192, 0, 2, 1])
  socket.on('message', (query, { port, address }) => {
    const questionEnd = query.indexOf(0, 12) + 5
    const head = Buffer.from([0, 0, 0x84, 0, 0, 1, 0, 1, 0, 0, 0, 0])
    query.copy(head, 0, 0, 2)
    socket.send(Buffer.concat([head, query.subarray(12, questionEnd), record]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket.address().port
}

/** The health service of gRPC: all is well, whatever is asked. */
function healthServer(): http2.Http2Server {
  const server = http2.createServer()
  server.on('session', (session) => session.on('error', () => {}))
  server.on('stream', (stream) => {
    stream.on('error', () => {})
    stream.resume()
    stream.respond({ ':status': 200, 'content-type': 'application/grpc+proto' }, { waitForTrailers: true })
    stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
    // A message of two bytes, uncompressed: the first field is 1, which means SERVING.
    stream.end(Buffer.from([0, 0, 0, 0, 2, 8, 1]))
  })
  return server
}

const protocols = {
  http: () => listen(Object.assign(http.createServer(answer), { keepAliveTimeout: 1 })),
  https: () => listen(Object.assign(https.createServer(certificate(), answer), { keepAliveTimeout: 1 })),
  tcp: () => listen(net.createServer((socket) => socket.on('error', () => {}).resume())),
  dns: listenForNames,
  grpc: () => listen(healthServer()),
} as const satisfies Record<string, () => Promise<number>>
export type Protocol = keyof typeof protocols

const [, , asked = ''] = process.argv
const [, start] = Object.entries(protocols).find(([protocol]) => protocol === asked) ?? []
if (start === undefined) throw new Error(`There is no target for "${asked}".`)
process.on('disconnect', () => process.exit(0))
process.send?.({ port: await start() })
