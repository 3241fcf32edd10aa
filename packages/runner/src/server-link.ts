/** Calls the server's operations for runners over kept-alive connections, typed by the routes of the schema. */
import http from 'node:http'
import https from 'node:https'
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, Route } from '@vedette/schema'

/** The server answered with something else than success. */
export class ServerRefusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** No answer: the server or the way to it is gone. Worth another try. */
export class ServerUnreachable extends Error {}

export interface CallOptions {
  timeoutMs?: number
  signal?: AbortSignal
}

const CALL_TIMEOUT_MS = 10_000
const DOWNLOAD_TIMEOUT_MS = 300_000

export class ServerLink {
  readonly #base: URL
  readonly #key: string
  readonly #client: typeof http | typeof https
  readonly #agent: http.Agent

  constructor(serverUrl: string, key: string) {
    this.#base = new URL(serverUrl)
    this.#key = key
    this.#client = this.#base.protocol === 'https:' ? https : http
    this.#agent = new this.#client.Agent({ keepAlive: true, keepAliveMsecs: 5000 })
  }

  close(): void {
    this.#agent.destroy()
  }

  /** Throws `ServerRefusal` or `ServerUnreachable`. */
  async call<R extends Route>(route: R, body: BodyOf<R>, options: CallOptions = {}): Promise<AnswerOf<R>> {
    const text = await this.#send(route, route.path, 'application/json', Buffer.from(JSON.stringify(body)), options)
    return JSON.parse(text === '' ? 'null' : text)
  }

  /** Sends a file. Throws as `call` does. */
  async upload<R extends Route>(
    route: R,
    { params, query }: { params: ParamsOf<R>; query: QueryOf<R> },
    content: Uint8Array,
    options: CallOptions = {},
  ): Promise<void> {
    const named = new Map(Object.entries(Object(params)).map(([name, value]) => [name, String(value)]))
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(named.get(name) ?? ''))
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(Object(query))) search.set(name, String(value))
    await this.#send(route, `${path}?${search}`, 'application/octet-stream', content, options)
  }

  /** A file that the server answers with, piece by piece. Throws as `call` does. @param path with its query */
  async download(path: string, timeoutMs = DOWNLOAD_TIMEOUT_MS): Promise<AsyncIterable<Uint8Array>> {
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const { protocol, hostname, port } = this.#base
      const request = this.#client.get({
        ...{ protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, agent: this.#agent },
        path: `${this.#base.pathname.replace(/\/$/, '')}${path}`,
        headers: { authorization: `Bearer ${this.#key}` },
        signal: AbortSignal.timeout(timeoutMs),
      })
      request.on('error', (error) => reject(new ServerUnreachable(`${path}: ${error.message}`, { cause: error })))
      request.on('response', resolve)
    })
    if (response.statusCode === 200) return response
    response.resume()
    throw new ServerRefusal(response.statusCode ?? 0, `it was answered ${response.statusCode}`)
  }

  #send(
    route: Route,
    pathAndQuery: string,
    contentType: string,
    body: Uint8Array,
    { timeoutMs = CALL_TIMEOUT_MS, signal }: CallOptions,
  ): Promise<string> {
    const path = `${this.#base.pathname.replace(/\/$/, '')}${pathAndQuery}`
    return new Promise((resolve, reject) => {
      const request = this.#client.request({
        protocol: this.#base.protocol,
        hostname: this.#base.hostname.replace(/^\[|\]$/g, ''),
        port: this.#base.port,
        path,
        method: route.method,
        agent: this.#agent,
        signal,
        headers: {
          authorization: `Bearer ${this.#key}`,
          'content-type': contentType,
          'content-length': body.length,
        },
      })
      // A timer of our own: the socket's would start again with every byte of a connection that is half dead.
      const timer = setTimeout(() => request.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
      const lose = (error: Error) => {
        clearTimeout(timer)
        reject(new ServerUnreachable(`${route.path}: ${error.message}`, { cause: error }))
      }
      request.on('error', lose)
      request.on('response', (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece) => pieces.push(piece))
        response.on('error', lose)
        response.on('end', () => {
          clearTimeout(timer)
          const text = Buffer.concat(pieces).toString('utf8')
          const status = response.statusCode ?? 0
          if (status >= 200 && status < 300) resolve(text)
          else reject(new ServerRefusal(status, `${route.path} was answered ${status}: ${text.slice(0, 300)}`))
        })
      })
      request.end(body)
    })
  }
}
