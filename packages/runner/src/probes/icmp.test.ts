/** Pings on loopback by the real program, and programs that do everything wrong in its place. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { egressPolicy, judges } from '@vedette/core'
import type { IcmpRequest, IcmpSettings } from '@vedette/schema'
import { runContext } from '../testing/builders.ts'
import { startDnsServer } from '../testing/dns-server.ts'
import { icmpProbe, pingingWith } from './icmp.ts'

const settingsOf = (request: Partial<IcmpRequest>, rest: Partial<IcmpSettings> = {}): IcmpSettings => ({
  request: { hostname: '127.0.0.1', pingCount: 3, ...request },
  shouldFail: false,
  degradedResponseTime: null,
  maxResponseTime: null,
  degradedPacketLossThreshold: 10,
  maxPacketLossThreshold: 20,
  ...rest,
})

async function look(
  request: Partial<IcmpRequest>,
  { program = 'ping', ...context }: Parameters<typeof runContext>[0] & { program?: string } = {},
  rest: Partial<IcmpSettings> = {},
) {
  const settings = settingsOf(request, rest)
  const probe = program === 'ping' ? icmpProbe : pingingWith(program)
  const observation = await probe.observe(settings, runContext(context))
  const { failure } = observation
  return { observation, failure, ...judges.ICMP(settings, observation) }
}

/** A program in the place of ping: a shell script. */
async function inPlaceOfPing(t: TestContext, script: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-ping-'))
  t.after(() => rm(folder, { recursive: true }))
  const program = join(folder, 'ping')
  await writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return program
}

const replies = (sent: number, answered: number[]) =>
  [
    ...answered.map((sequence) => `echo "64 bytes from 192.0.2.1: icmp_seq=${sequence} ttl=64 time=${sequence}.5 ms"`),
    `echo "${sent} packets transmitted, ${answered.length} received"`,
  ].join('\n')

for (const [ipFamily, address] of [
  ['IPv4', '127.0.0.1'],
  ['IPv6', '::1'],
] as const) {
  test(`pings a host by name over ${ipFamily}`, async (t) => {
    const { observation, verdict, error, failure } = await look({ hostname: 'localhost', ipFamily, pingCount: 2 })
    if (failure?.phase === 'send') return t.skip(failure.message)
    assert.deepEqual([verdict, error, observation.resolvedIp], ['passed', null, address])
    const { packetsSent, packetsReceived, packetLoss, latency, times } = observation.response ?? {}
    assert.deepEqual([packetsSent, packetsReceived, packetLoss, times?.length], [2, 2, 0, 2])
    assert.equal(observation.responseTimeMs, latency?.avg)
  })
}

test('is told an address, never a name, and hears no shell', async (t) => {
  const nameServer = await startDnsServer(t, () => ['10.1.2.3'])
  const program = await inPlaceOfPing(t, `test "$*" = "-4 -n -c 1 -i 0.2 -W 2 10.1.2.3" || exit 1\n${replies(1, [1])}`)
  const { verdict, error } = await look({ hostname: 'one.test', pingCount: 1 }, { program, nameServers: [nameServer] })
  assert.deepEqual([verdict, error], ['passed', null])
})

test('loss degrades and fails by the thresholds', async (t) => {
  const seen = async (answered: number, rest: Partial<IcmpSettings> = {}) => {
    const numbers = Array.from({ length: answered }, (_, index) => index + 1)
    const program = await inPlaceOfPing(t, replies(20, numbers))
    const { verdict, error } = await look({ pingCount: 20 }, { program }, rest)
    return [verdict, error]
  }
  assert.deepEqual(await seen(18), ['passed', null])
  assert.deepEqual(await seen(17), ['degraded', '3 of 20 pings were lost, more than the allowed 10 %'])
  assert.deepEqual(await seen(15), ['failed', '5 of 20 pings were lost, more than the allowed 20 %'])
  assert.deepEqual(await seen(17, { degradedPacketLossThreshold: 50, maxPacketLossThreshold: 60 }), ['passed', null])
})

test('a host that answers nothing has failed, whatever loss is allowed, and the loss is told', async (t) => {
  const program = await inPlaceOfPing(t, `${replies(3, [])}\nexit 1`)
  const { verdict, error, networkError, observation } = await look({}, { program }, { maxPacketLossThreshold: 100 })
  assert.deepEqual([verdict, error, networkError], ['failed', 'ETIMEDOUT: none of 3 pings was answered', true])
  assert.deepEqual([observation.pings?.packetLoss, observation.pings?.times], [100, [null, null, null]])
  assert.equal((await look({}, { program }, { shouldFail: true })).verdict, 'passed')
})

test('a host that must not answer fails when it does', async (t) => {
  const program = await inPlaceOfPing(t, replies(1, [1]))
  const { verdict, error } = await look({ pingCount: 1 }, { program }, { shouldFail: true })
  assert.deepEqual([verdict, error], ['failed', 'expected no answer, but 127.0.0.1 answers pings'])
})

test('latencies and the whole can be asserted on', async (t) => {
  const program = await inPlaceOfPing(t, replies(3, [1, 2, 3]))
  const broken = async (assertions: NonNullable<IcmpRequest['assertions']>) =>
    (await look({ assertions }, { program })).error
  assert.equal(
    await broken([
      { source: 'LATENCY', comparison: 'EQUALS', target: 2.5 },
      { source: 'LATENCY', property: 'max', comparison: 'LESS_THAN', target: 4 },
      { source: 'JSON_RESPONSE', property: '$.packetsReceived', comparison: 'EQUALS', target: 3 },
    ]),
    null,
  )
  assert.equal(
    await broken([{ source: 'LATENCY', property: 'stdDev', comparison: 'LESS_THAN', target: 0.5 }]),
    'latency stdDev: expected 0.816 to be less than 0.5',
  )
  assert.match(
    (await broken([{ source: 'LATENCY', property: 'p99', comparison: 'LESS_THAN', target: 1 }])) ?? '',
    /there is no latency "p99"/,
  )
})

test('where pinging is not possible the trouble is ours, with what to do about it', async (t) => {
  const table: [string, RegExp][] = [
    ['echo "ping: socket: Operation not permitted" >&2; exit 2', /^ERR_PING_NOT_PERMITTED: .*cap_net_raw/],
    ['echo "ping: connect: Network is unreachable" >&2; exit 2', /^ERR_PING: .*Network is unreachable/],
    ['echo "usage: something else" >&2; exit 1', /^ERR_PING: .*usage/],
    ['exit 0', /it said nothing/],
    ['kill -9 $$', /it said nothing/],
  ]
  for (const [script, reason] of table) {
    const { verdict, error } = await look({}, { program: await inPlaceOfPing(t, script) })
    assert.equal(verdict, 'error', script)
    assert.match(error ?? '', reason)
  }
  const missing = await look({}, { program: 'no-such-ping' })
  assert.equal(missing.verdict, 'error')
  assert.match(missing.error ?? '', /^ERR_NO_PING: .*iputils-ping/)
  const forbidden = await look({}, { egress: egressPolicy('check-built-in', { deny: ['127.0.0.0/8'] }) })
  assert.deepEqual([forbidden.verdict, forbidden.failure?.code], ['error', 'ERR_ADDRESS_NOT_ALLOWED'])
})

test('a program that does not end, or does not stop talking, is ended at the limit', async (t) => {
  for (const script of ['exec sleep 60', 'while :; do echo 64 bytes; done']) {
    const program = await inPlaceOfPing(t, script)
    const startedAt = performance.now()
    const { verdict, error } = await look({}, { program, limitMs: 400 })
    assert.ok(performance.now() - startedAt <= 650)
    assert.deepEqual([verdict, error], ['error', 'ERR_PING_TOO_LONG: ping did not end within 0.4 s'])
  }
})
