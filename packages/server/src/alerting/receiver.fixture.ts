/** A receiver of webhooks on loopback, which remembers what it got and answers as it is told. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface Receiver {
  url: string
  received: Received[]
  /** Resolves once so many requests have come in. */
  hasReceived(count: number): Promise<Received[]>
}

export type Answer = (request: Received, response: ServerResponse<IncomingMessage>) => void

export async function startReceiver(
  t: TestContext,
  answer: Answer = (_, response) => response.end('ok'),
): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const seen = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
    received.push(seen)
    answer(seen, response)
    for (const look of waiting) look()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('The receiver does not listen on a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    hasReceived: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (received.length < count) return
          waiting.delete(look)
          resolve(received.slice(0, count))
        }
        waiting.add(look)
        look()
      }),
  }
}
