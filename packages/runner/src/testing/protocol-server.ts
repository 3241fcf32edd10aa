/** A server that speaks the runner protocol on loopback: hands out what a test gives it and collects what comes back. */
import { once } from 'node:events'
import http from 'node:http'
import type { TestContext } from 'node:test'
import type { HeartbeatRequest, LeasedRun, RunReport } from '@vedette/schema'

export interface ProtocolServer {
  url: string
  reports: RunReport[]
  heartbeats: HeartbeatRequest[]
  signIns: number
  signOuts: number
  /** Runs handed out at the next call for a lease. */
  give(...runs: LeasedRun[]): void
  /** Answers every call with a status, or closes connections at 0, until told null. */
  refuse(status: number | null): void
  /** The same, but calls under way go on waiting. */
  refuseLater(status: number): void
  until(condition: () => boolean): Promise<void>
}

export async function startProtocolServer(t: TestContext): Promise<ProtocolServer> {
  let refusal: number | null = null
  let waiting: LeasedRun[] = []
  let waker: (() => void) | null = null
  const changed = new EventTarget()
  const state: ProtocolServer = {
    url: '',
    reports: [],
    heartbeats: [],
    signIns: 0,
    signOuts: 0,
    give(...runs) {
      waiting.push(...runs)
      waker?.()
    },
    refuse(status) {
      refusal = status
      waker?.()
    },
    refuseLater(status) {
      refusal = status
    },
    async until(condition) {
      while (!condition()) await once(changed, 'change', { signal: AbortSignal.timeout(10_000) })
    },
  }
  const server = http.createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = JSON.parse(Buffer.concat(pieces).toString('utf8'))
    const answer = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(value === null ? '' : JSON.stringify(value))
      changed.dispatchEvent(new Event('change'))
    }
    if (refusal === 0) request.socket.destroy()
    else if (refusal !== null) answer(refusal, { statusCode: refusal, error: 'Refused', message: 'by the test' })
    else if (request.url === '/runner/v1/sign-in') {
      state.signIns += 1
      answer(200, { runnerId: state.signIns, locations: ['eu-west-1'] })
    } else if (request.url === '/runner/v1/heartbeat') {
      state.heartbeats.push(body)
      answer(204, null)
    } else if (request.url === '/runner/v1/sign-out') {
      state.signOuts += 1
      answer(204, null)
    } else if (request.url === '/runner/v1/results') {
      state.reports.push(...body.reports)
      answer(200, { accepted: body.reports.length, dropped: [] })
    } else if (request.url === '/runner/v1/lease') {
      if (waiting.length === 0) {
        await new Promise<void>((resolve) => {
          waker = resolve
          response.once('close', resolve)
        })
        waker = null
      }
      const runs = waiting.slice(0, body.capacity)
      waiting = waiting.slice(body.capacity)
      if (refusal === 0) request.socket.destroy()
      else answer(200, { runs })
    } else answer(404, null)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  state.url = `http://127.0.0.1:${address.port}`
  return state
}
