/**
 * How much CPU one observation of an API check costs, next to a bare request of `node:http(s)` over a fresh
 * connection. Both run in turns in this process; the target is another process.
 *
 *     node bench/probe-cpu.ts [requests per round] [rounds]
 */
import { execFileSync, fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { egressPolicy, judges } from '../packages/core/src/index.ts'
import { Dialer } from '../packages/runner/src/probes/http/dialer.ts'
import { Names } from '../packages/runner/src/probes/http/names.ts'
import { probes } from '../packages/runner/src/probes/index.ts'
import type { ApiSettings } from '../packages/schema/src/index.ts'

const BODY = JSON.stringify({
  status: 'ok',
  items: Array.from({ length: 10 }, (_, id) => ({ id, name: `item ${id}` })),
})
const CONCURRENCY = 16
const dialer = new Dialer(new Names(), egressPolicy('check-built-in'))

if (process.argv[2] === 'target') serve(process.argv[3] ?? '')
else await compare(Number(process.argv[2] ?? 2000), Number(process.argv[3] ?? 6))

function serve(directory: string): void {
  const answer: http.RequestListener = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': BODY.length })
    response.end(BODY)
  }
  const options = { key: readFileSync(join(directory, 'key.pem')), cert: readFileSync(join(directory, 'cert.pem')) }
  const plain = http.createServer(answer).listen(0, '127.0.0.1', () => {
    const secure = https.createServer(options, answer).listen(0, '127.0.0.1', () => {
      const portOf = (server: http.Server | https.Server) => {
        const address = server.address()
        return typeof address === 'object' && address !== null ? address.port : 0
      }
      process.send?.({ http: portOf(plain), https: portOf(secure) })
    })
  })
  process.on('disconnect', () => process.exit(0))
}

async function compare(requests: number, rounds: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-bench-'))
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-days', '1']
  const key = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    join(directory, 'key.pem'),
  ]
  execFileSync('openssl', ['req', '-x509', ...key, '-out', join(directory, 'cert.pem'), ...subject], {
    stdio: 'ignore',
  })
  const target = fork(fileURLToPath(import.meta.url), ['target', directory])
  try {
    const ports = await new Promise<Record<string, number>>((resolve) => {
      target.once('message', (message) => {
        if (typeof message === 'object' && message !== null) resolve(Object.fromEntries(Object.entries(message)))
      })
    })
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://127.0.0.1:${ports[scheme]}/`
      const count = scheme === 'http' ? requests : Math.ceil(requests / 4)
      const ours: number[] = []
      const bare: number[] = []
      for (let round = -1; round < rounds; round += 1) {
        const a = await cpuOf(() => observe(url), count)
        const b = await cpuOf(() => bareRequest(url), count)
        // The first round warms up.
        if (round >= 0) {
          ours.push(a)
          bare.push(b)
        }
      }
      const [a, b] = [median(ours), median(bare)]
      console.log(
        `${scheme.padEnd(5)} probe ${a.toFixed(0)} µs, bare node:${scheme} ${b.toFixed(0)} µs, ratio ${(a / b).toFixed(2)}`,
      )
    }
  } finally {
    target.disconnect()
    rmSync(directory, { recursive: true })
  }
}

async function cpuOf(work: () => Promise<void>, count: number): Promise<number> {
  const before = process.cpuUsage()
  let left = count
  const line = async () => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, line))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** All that happens for one run but the report: deadline, request, answer, judgement. */
async function observe(url: string): Promise<void> {
  const settings: ApiSettings = {
    request: {
      method: 'GET',
      url,
      skipSSL: true,
      assertions: [
        { source: 'STATUS_CODE', comparison: 'EQUALS', property: '', target: '200', regex: '' },
        { source: 'JSON_BODY', comparison: 'EQUALS', property: '$.status', target: 'ok', regex: '' },
      ],
    },
    shouldFail: false,
    degradedResponseTime: 5000,
    maxResponseTime: 20_000,
  }
  const end = new AbortController()
  const timer = setTimeout(() => end.abort(), 30_000)
  const nothing = { proxyUrl: null, variables: [], scripts: null, certificates: [] }
  const context = { signal: end.signal, limitMs: 30_000, dialer, keepBytes: 25 * 1024 * 1024, ...nothing }
  const judgement = judges.API(settings, await probes.API.observe(settings, context))
  clearTimeout(timer)
  if (judgement.verdict !== 'passed') throw new Error(judgement.error ?? judgement.verdict)
}

function bareRequest(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const client = url.startsWith('https') ? https : http
    const options = { agent: false as const, rejectUnauthorized: false }
    const request = client.get(url, options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece) => {
        text += piece
      })
      response.on('end', () => (text.length === BODY.length ? resolve() : reject(new Error('wrong body'))))
    })
    request.on('error', reject)
  })
}
