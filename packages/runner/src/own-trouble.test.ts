import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Judgement } from '@vedette/core'
import type { Failure } from '@vedette/schema'
import { Control } from './control.ts'
import { controlsOf, describe } from './controls.ts'
import { deadGateway } from './gateway.ts'
import { TroubleWatch } from './own-trouble.ts'
import { socketFailure } from './probes/http/failure.ts'
import { listen } from './testing/builders.ts'

const noAnswer: Judgement = {
  verdict: 'failed',
  rule: 'no-answer',
  error: 'no answer',
  networkError: true,
  overMaxResponseTime: false,
  assertions: [],
}
const failing = (failure: Partial<Failure>): Failure => ({
  blame: 'target',
  code: 'ETIMEDOUT',
  message: 'no answer',
  phase: 'connect',
  ...failure,
})
const now = () => performance.now()
const doubtOf = (watch: TroubleWatch, failure: Partial<Failure>, family: 4 | 6 | null = null) =>
  watch.doubt(noAnswer, { from: now() - 10, to: now(), failure: failing(failure), family })

test('certificates are not judged by a clock that is far from the server’s, and are by one that is near', async () => {
  let offMs = 86_400_000
  const watch = new TroubleWatch({ wallClock: () => Date.now() + offMs })
  const expired = { code: 'CERT_HAS_EXPIRED', phase: 'tls' } as const
  assert.equal(await doubtOf(watch, expired), null, 'nobody has said what time it is')
  watch.noteServerTime(Date.now())
  assert.match((await doubtOf(watch, expired)) ?? '', /1440 minutes ahead of the server/)
  assert.equal(await doubtOf(watch, { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', phase: 'tls' }), null)
  offMs = -60_000
  assert.equal(await doubtOf(watch, expired), null)
})

test('silence over IPv6 is ours when only the IPv6 controls are gone, and IPv4 is judged on', async (t) => {
  const port = await listen(t, () => {})
  const targets = [
    { host: '127.0.0.1', port },
    { host: '::1', port: 1 },
  ]
  const watch = new TroubleWatch({ targets })
  assert.match((await doubtOf(watch, {}, 6)) ?? '', /no IPv6/)
  assert.equal(await doubtOf(watch, {}, 4), null)
  assert.equal(watch.isCutOff, false)
  assert.match(watch.current ?? '', /IPv6/)
})

test('an answer that somebody gave is not doubted because the controls are gone', async () => {
  const watch = new TroubleWatch({ targets: [{ host: '127.0.0.1', port: 1 }] })
  assert.equal(await doubtOf(watch, { code: 'CERT_HAS_EXPIRED', phase: 'tls' }), null)
  assert.notEqual(await doubtOf(watch, { code: 'ECONNRESET', phase: 'headers' }), null)
})

test('a control that nobody chose proves nothing before it has answered', async (t) => {
  const gone = { targets: [{ host: '127.0.0.1', port: 1 }], areDefaults: true }
  assert.equal(await doubtOf(new TroubleWatch(gone), {}), null)
  const port = await listen(t, () => {})
  const watch = new TroubleWatch({ targets: [{ host: '127.0.0.1', port }], areDefaults: true })
  assert.equal(await doubtOf(watch, {}), null)
})

test('many failures at once are one question, and only an answer that was asked for afterwards counts', async () => {
  let asked = 0
  let isWell = true
  const control = new Control({
    ask: [
      async () => {
        asked += 1
        if (!isWell) throw new Error('silence')
      },
    ],
  })
  const before = now()
  assert.deepEqual(
    new Set(await Promise.all(Array.from({ length: 100 }, () => control.answersAfter(before)))),
    new Set([true]),
  )
  assert.equal(asked, 1)
  isWell = false
  assert.equal(await control.answersAfter(before), true)
  assert.equal(await control.answersAfter(now()), false)
  assert.equal(control.isWell, false)
  assert.equal(asked, 2)
  assert.equal(await new Control({ ask: [] }).answersAfter(now()), true)
})

test('what this machine has run out of is never the target’s fault', () => {
  for (const code of ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'ENETUNREACH', 'ENETDOWN']) {
    const error = Object.assign(new Error(`connect ${code}`), { code })
    assert.equal(socketFailure(error, 'connect').blame, 'ours', code)
  }
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  assert.equal(socketFailure(refused, 'connect').blame, 'target')
})

test('a gateway is dead when the kernel found nobody at its address, and unknown when it has not looked', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'vedette-routes-'))
  t.after(() => rm(dir, { recursive: true }))
  const [routes, neighbours] = [join(dir, 'route'), join(dir, 'arp')]
  const head = 'Iface\tDestination\tGateway \tFlags\tRefCnt\n'
  await writeFile(routes, `${head}eth0\t00000000\t0101A8C0\t0003\t0\neth0\t0001A8C0\t00000000\t0001\t0\n`)
  const heard = async (flags: string) => {
    const line =
      flags === '' ? '' : `192.168.1.1      0x1         ${flags}         00:00:00:00:00:00     *        eth0\n`
    await writeFile(
      neighbours,
      `IP address       HW type     Flags       HW address            Mask     Device\n${line}`,
    )
    return deadGateway(routes, neighbours)
  }
  assert.equal(await heard('0x0'), '192.168.1.1')
  assert.equal(await heard('0x2'), null)
  assert.equal(await heard(''), null)
  assert.equal(await deadGateway(join(dir, 'none'), neighbours), null)
})

test('a runner elsewhere that was told nothing asks its server; one on the same machine asks nobody', () => {
  const none = { controlTargets: [], controlNames: [] }
  const elsewhere = controlsOf({ serverUrl: 'https://vedette.example.org', ...none })
  assert.deepEqual(describe(elsewhere), ['vedette.example.org:443', 'name vedette.example.org'])
  assert.equal(elsewhere.areDefaults, true)
  assert.deepEqual(describe(controlsOf({ serverUrl: 'http://[2001:db8::1]:3000', ...none })), ['[2001:db8::1]:3000'])
  assert.deepEqual(describe(controlsOf({ serverUrl: 'http://127.0.0.1:3000', ...none })), [])
  const chosen = { controlTargets: [{ host: '192.0.2.1', port: 53 }], controlNames: [] }
  assert.deepEqual(describe(controlsOf({ serverUrl: 'https://vedette.example.org', ...chosen })), ['192.0.2.1:53'])
})

test('silence behind a dead gateway is ours, where something was dialled and where something was only asked', async () => {
  const watch = new TroubleWatch({ findDeadGateway: async () => '192.0.2.1' })
  for (const phase of ['connect', 'answer'] as const)
    assert.match((await doubtOf(watch, { phase })) ?? '', /its gateway 192\.0\.2\.1 does not answer/, phase)
  assert.equal(await doubtOf(watch, { phase: 'headers' }), null)
  assert.equal(await doubtOf(new TroubleWatch({ findDeadGateway: async () => null }), { phase: 'answer' }), null)
})
