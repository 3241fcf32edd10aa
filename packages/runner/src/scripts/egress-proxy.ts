/** The one way out for a script: a proxy on a socket of its own that dials what the location's egress policy allows. */

import { chmod } from 'node:fs/promises'
import http from 'node:http'
import net from 'node:net'
import type { Duplex } from 'node:stream'
import type { LogEntry } from '@vedette/schema'
import type { Dialer } from '../probes/http/dialer.ts'

const CONNECTIONS_LIMIT = 100
const REFUSALS_LIMIT = 100

export interface EgressProxy {
  /** What was not reached, and why: scripts learn little of it from their libraries. */
  readonly refusals: readonly LogEntry[]
  close(): void
}

export async function openEgressProxy(path: string, dialer: Pick<Dialer, 'addressOf'>): Promise<EgressProxy> {
  const sockets = new Set<Duplex>()
  const refusals: LogEntry[] = []
  const refused = (what: string, error: unknown) => {
    const msg = `${what} was not reached: ${reasonOf(error)}`
    if (refusals.length < REFUSALS_LIMIT) refusals.push({ time: Date.now(), msg, level: 'WARN' })
  }
  const keep = <S extends Duplex>(socket: S): S => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
    return socket
  }
  const dial = async (host: string, port: number): Promise<net.Socket> => {
    const address = await dialer.addressOf(host, 4).catch((error: unknown) => {
      if (isNameWithoutAddress(error)) return dialer.addressOf(host, 6)
      throw error
    })
    return keep(net.connect({ host: address, port }))
  }

  const server = http.createServer((request, response) => {
    const url = URL.parse(request.url ?? '')
    const refuse = (error: unknown) => {
      refused(url?.host ?? 'an address', error)
      if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/plain' })
      response.end(reasonOf(error))
    }
    if (url === null || url.protocol !== 'http:') return refuse(new Error('only http addresses can be asked for'))
    dial(url.hostname, Number(url.port || 80)).then((socket) => {
      const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = request.headers
      const path = `${url.pathname}${url.search}`
      const { method = 'GET' } = request
      // With any agent, and `false` makes one, Node.js would dial by itself.
      const outgoing = http.request({ method, path, headers, createConnection: () => socket })
      outgoing.on('error', refuse)
      outgoing.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        answer.on('error', () => response.destroy())
        answer.pipe(response)
      })
      response.once('close', () => socket.destroy())
      request.pipe(outgoing)
    }, refuse)
  })
  server.maxConnections = CONNECTIONS_LIMIT
  server.on('connection', keep)
  server.on('clientError', (_error, socket) => socket.destroy())
  server.on('connect', (request: http.IncomingMessage, client: Duplex, head: Buffer) => {
    const [, host, port] = /^(.+):(\d{1,5})$/.exec(request.url ?? '') ?? []
    const refuse = (error: unknown) => {
      refused(host ?? 'an address', error)
      client.end(`HTTP/1.1 502 ${reasonOf(error)}\r\n\r\n`)
    }
    if (host === undefined) return void refuse(new Error('no host was named'))
    dial(host, Number(port)).then((socket) => {
      socket.once('error', refuse)
      socket.once('connect', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n')
        socket.write(head)
        client.pipe(socket).pipe(client)
      })
      client.once('close', () => socket.destroy())
    }, refuse)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  // The script runs as somebody else; the folder's name is known to it alone.
  await chmod(path, 0o777)
  return {
    refusals,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function isNameWithoutAddress(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 300)
}
