/** One HTTP request to an address that the policy allows. Redirects are not followed, little of the answer is read. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type LookupFunction, connect as netConnect, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import type { EgressPolicy } from '@vedette/core'
import type { HttpAnswer, HttpRequest } from './http-message.ts'
import { allowedAddresses, refuseUnlessAllowed } from './resolve.ts'

const BODY_LIMIT = 64 * 1024
const HEADER_LIMIT = 32 * 1024
const LONGEST_RETRY_AFTER_MS = 300_000

/** @throws DeliveryError for an address that is not allowed, Error when no answer came. */
export async function exchange(
  { method, url, headers, body }: HttpRequest,
  { egress, signal, now }: { egress: EgressPolicy; signal: AbortSignal; now: Date },
): Promise<HttpAnswer> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const secure = url.protocol === 'https:'
  const addresses = await until(signal, allowedAddresses(host, egress))
  const [first] = addresses
  const lookup: LookupFunction = (_name, { all }, done) =>
    all || first === undefined ? done(null, addresses) : done(null, first.address, first.family)

  return new Promise((resolve, reject) => {
    let socket: Socket | undefined
    let answered = false
    const end = (result: () => void) => {
      signal.removeEventListener('abort', onAbort)
      result()
      // Whatever phase it is in: a request that is over holds no connection.
      request.destroy()
      socket?.destroy()
    }
    const fail = (error: unknown) => end(() => reject(error))
    const createConnection = () => {
      const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port)
      // No server name for an address: certificates are then matched by address.
      const servername = first?.address === host ? '' : host
      const dialled = secure
        ? tlsConnect({ host, port, lookup, servername, ALPNProtocols: ['http/1.1'] })
        : netConnect({ host, port, lookup })
      socket = dialled
      // Registered before anything is written: what was judged must be what was reached.
      dialled.once('connect', () => {
        try {
          refuseUnlessAllowed(dialled.remoteAddress ?? '', egress)
        } catch (error) {
          fail(error)
        }
      })
      return dialled
    }
    const request = (secure ? httpsRequest : httpRequest)({
      method,
      path: url.pathname + url.search,
      headers: { host: url.host, ...headers },
      createConnection,
      maxHeaderSize: HEADER_LIMIT,
      setHost: false,
    })
    const onAbort = () => fail(new Error('No answer in time'))
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    request.on('error', (error) => {
      // A connection that breaks after the status takes nothing back.
      if (!answered) fail(error)
    })
    request.on('response', (response) => {
      answered = true
      signal.removeEventListener('abort', onAbort)
      readBody(response, signal).then((text) => {
        const { statusCode: status = 0, headers } = response
        end(() => resolve({ status, headers, body: text, retryAfterMs: retryAfter(headers['retry-after'], now) }))
      }, fail)
    })
    // As bytes: beside a text, Node would write the bytes of the headers as UTF-8 once more.
    request.end(body === null ? undefined : Buffer.from(body))
  })
}

/** The status has decided already: of the body, what comes in time and fits is enough. */
function readBody(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    const done = () => {
      signal.removeEventListener('abort', done)
      resolve(Buffer.concat(chunks).subarray(0, BODY_LIMIT).toString('utf8'))
    }
    signal.addEventListener('abort', done)
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length >= BODY_LIMIT) done()
    })
    response.on('end', done)
    response.on('error', done)
    response.on('close', done)
  })
}

/** Seconds or a date. */
function retryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null
  const ms = /^\d{1,9}$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now.getTime()
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS)
}

function until<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error('The name was not resolved in time'))
    if (signal.aborted) late()
    signal.addEventListener('abort', late)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', late))
  })
}
