/** What the installation looks at, and whom it tells: both on loopback, both in this process, which no fault strikes. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { TestContext } from 'node:test'

async function listen(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer({ keepAliveTimeout: 60_000 }, answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A server of the test has no port')
  return `http://127.0.0.1:${address.port}`
}

export interface Target {
  /** Always answers well. */
  steadyUrl: string
  /** Answers well or not at all well, as it is told. */
  shakyUrl: string
  isUp: boolean
  /** The shaky one has just been seen. */
  onAnswer(): void
}

export async function startTarget(t: TestContext): Promise<Target> {
  const url = await listen(t, (request, response) => {
    const isWell = request.url === '/steady' || target.isUp
    response.writeHead(isWell ? 200 : 500, { 'content-type': 'text/plain' })
    response.end(isWell ? 'well' : 'not well')
    if (request.url !== '/steady') target.onAnswer()
  })
  const target: Target = { steadyUrl: `${url}/steady`, shakyUrl: `${url}/shaky`, isUp: true, onAnswer: () => {} }
  return target
}

export interface Told {
  deliveryId: string
  type: string
  checkId: string
  resultId: string
}

export interface Receiver {
  url: string
  /** Every call, repeats too, in the order of their coming. */
  told: Told[]
  /** While it is false, callers get no answer. */
  answers: boolean
  /** Somebody has told it something, and has no answer yet. */
  onTold(): void
  /** Somebody has just been answered. */
  onAnswer(): void
}

/** The body that the receiver reads, as a channel's template. */
export const RECEIVER_TEMPLATE = '{"type":"{{ALERT_TYPE}}","checkId":"{{CHECK_ID}}","resultId":"{{CHECK_RESULT_ID}}"}'

export async function startReceiver(t: TestContext): Promise<Receiver> {
  const told: Told[] = []
  const url = await listen(t, async (request, response) => {
    let body = ''
    for await (const piece of request.setEncoding('utf8')) body += piece
    told.push({ ...JSON.parse(body), deliveryId: String(request.headers['x-service-delivery-id']) })
    receiver.onTold()
    if (!receiver.answers) return
    response.end('thanks')
    receiver.onAnswer()
  })
  const receiver: Receiver = { url, told, answers: true, onTold: () => {}, onAnswer: () => {} }
  return receiver
}
