/**
 * The baseline, a process of its own: what a check does at its heart, done by Node.js alone at a steady rate.
 * `node bare-operations.ts <operation> <port> <rate> <seconds>` tells what one of them costs.
 */
import { spawn } from 'node:child_process'
import { Resolver } from 'node:dns'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import net from 'node:net'
import { tmpdir } from 'node:os'
import tls from 'node:tls'
import { pause } from './pace.ts'
import { cpuOf } from './processes.ts'

const HOST = '127.0.0.1'
/** An operation tells once how it ended. */
type Operation = (port: number, end: (isGood: boolean) => void) => void

const resolver = new Resolver()
let isResolverSet = false
const secureContext = tls.createSecureContext()

const request =
  (scheme: 'http' | 'https'): Operation =>
  (port, end) => {
    const get = scheme === 'https' ? https.get : http.get
    const url = `${scheme}://${HOST}:${port}/`
    get(url, { agent: false, rejectUnauthorized: false }, (response) => {
      response.on('data', () => {})
      response.on('end', () => end(response.statusCode === 200))
    }).on('error', () => end(false))
  }

const runs =
  (program: string, ...options: readonly string[]): Operation =>
  (_, end) => {
    const child = spawn(program, options, { stdio: ['ignore', 'pipe', 'ignore'], cwd: tmpdir() })
    child.stdout.resume()
    child.once('error', () => end(false))
    child.once('close', (code) => end(code === 0))
  }

const operations = {
  http: request('http'),
  https: request('https'),
  tcp: (port, end) => {
    const socket = net.connect({ host: HOST, port }, () => {
      socket.destroy()
      end(true)
    })
    socket.on('error', () => end(false))
  },
  tls: (port, end) => {
    const socket = tls.connect({ host: HOST, port, secureContext, rejectUnauthorized: false }, () => {
      socket.destroy()
      end(true)
    })
    socket.on('error', () => end(false))
  },
  dns: (port, end) => {
    if (!isResolverSet) resolver.setServers([`${HOST}:${port}`])
    isResolverSet = true
    resolver.resolve4('shop.test', (error) => end(error === null))
  },
  grpc: (port, end) => {
    const session = http2.connect(`http://${HOST}:${port}`)
    session.on('error', () => end(false))
    const stream = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      te: 'trailers',
      'content-type': 'application/grpc+proto',
    })
    let status: unknown
    stream.on('trailers', (trailers) => {
      status = trailers['grpc-status']
    })
    stream.on('error', () => {})
    stream.on('data', () => {})
    stream.once('close', () => {
      session.destroy()
      end(status === '0')
    })
    // A message of no bytes: the health of the server as a whole.
    stream.end(Buffer.alloc(5))
  },
  ping: runs('ping', '-4', '-n', '-c', '1', HOST),
  'start of Node.js': runs(process.execPath, '-e', ''),
} as const satisfies Record<string, Operation>
export type BareOperation = keyof typeof operations

const [, , asked = '', port = '0', rate = '500', seconds = '10'] = process.argv
const [, operate] = Object.entries(operations).find(([name]) => name === asked) ?? []
if (operate === undefined) throw new Error(`There is no operation "${asked}".`)

const ended = { good: 0, bad: 0 }
let going = 0

function begin(operation: Operation): void {
  let isOver = false
  going += 1
  operation(Number(port), (isGood) => {
    if (isOver) return
    isOver = true
    going -= 1
    ended[isGood ? 'good' : 'bad'] += 1
  })
}

/** Begins what is due every few milliseconds, as a scheduler with a timer would, and waits for the last to end. */
async function operateFor(operation: Operation, forSeconds: number): Promise<void> {
  const startedAt = performance.now()
  const all = forSeconds * Number(rate)
  for (let begun = 0; begun < all; ) {
    const due = Math.min(((performance.now() - startedAt) / 1000) * Number(rate), all)
    for (; begun < due; begun += 1) begin(operation)
    await pause(2)
  }
  while (going > 0) await pause(5)
}

await operateFor(operate, 2)
ended.good = 0
ended.bad = 0
const before = cpuOf(process.pid)
await operateFor(operate, Number(seconds))
process.send?.({ ...ended, cpuUs: ((cpuOf(process.pid) - before) * 1000) / Math.max(ended.good, 1) })
process.disconnect?.()
