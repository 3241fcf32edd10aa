/**
 * The forward proxy of a private location. Plain requests are handed to it whole, for TLS it opens a tunnel. A proxy
 * is ours: when it cannot be reached, no target is to blame.
 */
import net from 'node:net'
import { ownFailure, RequestFailure, timeoutFailure } from './failure.ts'
import type { HopContext, HttpProxy } from './hop.ts'
import { ResponseParser } from './response-parser.ts'

/** Throws a failure of our own when the address is no HTTP proxy. */
export function parseProxy(address: string): HttpProxy {
  const url = URL.parse(address)
  if (url?.protocol !== 'http:' || url.hostname === '') {
    throw ownFailure('connect', 'ERR_PROXY', 'the proxy of the location must be an address that begins with http://')
  }
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`
  return {
    host: url.hostname,
    port: Number(url.port) || 80,
    authorization: credentials === ':' ? null : `Basic ${Buffer.from(credentials).toString('base64')}`,
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw ownFailure('connect', 'ERR_PROXY', 'the credentials of the proxy of the location must be percent-encoded')
  }
}

/** A connection to the proxy; with a destination, a tunnel through it. */
export async function connectToProxy(
  proxy: HttpProxy,
  destination: string | null,
  { signal, dialer, limitMs }: Pick<HopContext, 'signal' | 'dialer' | 'limitMs'>,
): Promise<net.Socket> {
  const host = await dialer.addressOf(proxy.host, 4)
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port: proxy.port })
    const answer = new ResponseParser('HEAD', 0)
    const fail = (failure: Error) => {
      signal.removeEventListener('abort', expire)
      socket.destroy()
      reject(failure)
    }
    const expire = () => fail(timeoutFailure('connect', limitMs))
    const refuse = (reason: string) => fail(ownFailure('connect', 'ERR_PROXY', `the proxy of the location ${reason}`))
    const succeed = () => {
      signal.removeEventListener('abort', expire)
      socket.removeAllListeners()
      resolve(socket)
    }
    if (signal.aborted) {
      expire()
      return
    }
    signal.addEventListener('abort', expire)
    socket.on('error', (error) => refuse(`cannot be used: ${error.message}`))
    socket.on('end', () => refuse('closed the connection'))
    socket.once('connect', () => {
      if (destination === null) succeed()
      else socket.write(connectRequest(destination, proxy.authorization))
    })
    socket.on('data', (chunk) => {
      try {
        answer.push(chunk)
      } catch (error) {
        refuse(`does not answer properly: ${error instanceof Error ? error.message : error}`)
        return
      }
      if (!answer.isDone) return
      if (answer.status >= 200 && answer.status < 300) succeed()
      else if (answer.status === 407) refuse('asks for other credentials')
      else fail(noTunnel(answer))
    })
  })
}

function connectRequest(destination: string, authorization: string | null): string {
  const credentials = authorization === null ? '' : `Proxy-Authorization: ${authorization}\r\n`
  return `CONNECT ${destination} HTTP/1.1\r\nHost: ${destination}\r\n${credentials}\r\n`
}

/** The proxy works and says that the target cannot be reached. */
function noTunnel({ status, statusText }: ResponseParser): RequestFailure {
  return new RequestFailure({
    blame: 'target',
    code: 'ERR_TUNNEL',
    message: `ERR_TUNNEL: the proxy could not connect to the target (${`${status} ${statusText}`.trim()})`,
    phase: 'connect',
  })
}
