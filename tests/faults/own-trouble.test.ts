/**
 * Trouble of our own strikes while targets are well: none of them is blamed. Once it is over, a target that is really
 * down is found. `FAULT_ROUNDS=50` makes it more than 10,000 runs.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { type TestContext, test } from 'node:test'
import { portOf } from '../../packages/runner/src/testing/builders.ts'
import { until } from '../start-vedette.ts'
import { ROUNDS } from './chance.ts'
import { count, type Scene, setScene, standStill, startAlone, type Told } from './own-trouble-scene.ts'

const RUNS = ROUNDS * 40

function tell(t: TestContext, name: string, during: Told, afterwards: Told): void {
  const { passed, failed, error } = count(during)
  const found = count(afterwards).failed
  t.diagnostic(
    `${name}: ${during.verdicts.length} runs, ${failed} false down, ${error} in error, ${passed} passed; ` +
      `afterwards ${found} of ${afterwards.verdicts.length} real failures found`,
  )
}

/** A target that is really down. A busy machine may doubt itself for a moment; a real failure is found all the same. */
async function findDown(run: () => Promise<Told>): Promise<Told> {
  let told = await run()
  await until(
    'a real failure is found',
    async () => {
      if (count(told).failed < told.verdicts.length) told = await run()
      return count(told).failed === told.verdicts.length
    },
    60_000,
  )
  return told
}

/** Nobody is blamed while it lasts; afterwards what is well passes and what is down is found, all within a minute. */
async function strike(
  t: TestContext,
  scene: Scene,
  name: string,
  { begin, end }: { begin: () => unknown; end: () => unknown },
  limitMs = 5000,
): Promise<void> {
  await begin()
  const during = await scene.run(scene.well, RUNS, { limitMs })
  await end()
  const endedAt = performance.now()
  await until('the runner is well again', () => !scene.watch.isCutOff, 20_000)
  const healthy = await scene.run(scene.well, 20)
  const afterwards = await findDown(() => scene.run(scene.down, 20))
  tell(t, name, during, afterwards)
  assert.deepEqual(count(during), { passed: 0, failed: 0, error: RUNS }, during.errors.join('\n').slice(0, 2000))
  assert.deepEqual(count(healthy).passed, 20, healthy.errors[0])
  assert.deepEqual(count(afterwards).failed, 20, afterwards.errors[0])
  assert.ok(performance.now() - endedAt < 60_000)
}

test('a name server that is silent blames nobody', async (t) => {
  const scene = await setScene(t)
  const end = () => scene.breakResolver(null)
  await strike(t, scene, 'resolver silent', { begin: () => scene.breakResolver('silence'), end })
})

for (const [code, word] of [
  [3, 'knows no name'],
  [2, 'fails for every name'],
] as const)
  test(`a name server that ${word} blames nobody`, async (t) => {
    const scene = await setScene(t)
    const end = () => scene.breakResolver(null)
    await strike(t, scene, `resolver ${word}`, { begin: () => scene.breakResolver(code), end })
  })

test('a name that does not exist is the target’s while the control name is known', async (t) => {
  const scene = await setScene(t)
  const told = await findDown(() => scene.run('http://gone.example/', 20))
  assert.match(told.errors[0] ?? '', /ENOTFOUND/)
})

test('an uplink that is dead blames nobody, and the runner knows of it until it is back', async (t) => {
  const scene = await setScene(t)
  const cut = { begin: () => scene.cutOff(true), end: () => scene.cutOff(false) }
  await strike(t, scene, 'uplink dead', cut, 300)
})

test('an event loop that stood still blames nobody', async (t) => {
  const scene = await setScene(t)
  const during = await scene.run(scene.well, RUNS, { limitMs: 500, during: () => standStill(700) })
  const afterwards = await findDown(() => scene.run(scene.down, 20))
  tell(t, 'event loop stalled', during, afterwards)
  assert.equal(count(during).failed, 0)
  assert.equal(count(afterwards).failed, 20)
})

test('a clock that jumps blames nobody', async (t) => {
  let steppedMs = 0
  const scene = await setScene(t, { wallClock: () => Date.now() + steppedMs })
  let direction = 1
  // Nobody answers there: a target that is really down, at the moment at which our clock jumps.
  const silent = net.createServer((socket) => socket.on('error', () => {}))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => silent.close())
  const during = await scene.run(`http://well.test:${portOf(silent)}/`, RUNS, {
    limitMs: 300,
    during: () => {
      steppedMs += direction * 3_600_000
      direction = -direction
    },
  })
  const afterwards = await findDown(() => scene.run(scene.down, 20))
  tell(t, 'clock stepped by an hour', during, afterwards)
  assert.equal(count(during).failed, 0)
  assert.equal(count(afterwards).failed, 20)
})

test('a process without descriptors blames nobody', async (t) => {
  const scene = await setScene(t)
  const address = scene.well.replace('well.test', '127.0.0.1')
  const run = startAlone(t, ['bash', '-c', 'ulimit -n 60; exec "$@"', 'bash'])
  assert.deepEqual(count(await run({ url: address, runs: 5, limitMs: 5000 })).passed, 5)
  const during = await run({ url: address, runs: RUNS, limitMs: 5000 })
  const afterwards = await findDown(() => run({ url: 'http://127.0.0.1:1/', runs: 5, limitMs: 5000 }))
  tell(t, 'descriptors exhausted', during, afterwards)
  assert.equal(count(during).failed, 0, during.errors.join('\n').slice(0, 2000))
  assert.ok(count(during).error > 0, 'the descriptors were never used up')
  assert.match(during.errors.join('\n'), /EMFILE/)
  assert.equal(count(afterwards).failed, 5, afterwards.errors[0])
})

/** Two namespaces with a cable between them: the runner’s, and the rest of the world, which is its gateway. */
function makeNamespaces(t: TestContext): { here: string; world: string; ip: (...args: string[]) => void } | string {
  const ip = (...args: string[]) => void execFileSync('ip', args, { stdio: 'pipe' })
  const [here, world] = [`vedette-a${process.pid}`, `vedette-b${process.pid}`]
  const clean = () => {
    for (const one of [here, world])
      try {
        ip('netns', 'del', one)
      } catch {
        // It was never made.
      }
  }
  t.after(clean)
  try {
    for (const one of [here, world]) ip('netns', 'add', one)
    ip('-n', here, 'link', 'add', 'up0', 'type', 'veth', 'peer', 'name', 'down0', 'netns', world)
    for (const one of [here, world]) ip('-n', one, 'link', 'set', 'lo', 'up')
    ip('-n', here, 'addr', 'add', '10.77.0.2/24', 'dev', 'up0')
    ip('-n', world, 'addr', 'add', '10.77.0.1/24', 'dev', 'down0')
    ip('-n', world, 'addr', 'add', '10.78.0.1/32', 'dev', 'lo')
    ip('-n', here, 'link', 'set', 'up0', 'up')
    ip('-n', world, 'link', 'set', 'down0', 'up')
    ip('-n', here, 'route', 'add', 'default', 'via', '10.77.0.1')
  } catch (error) {
    return `this machine makes no network namespaces: ${error instanceof Error ? error.message.split('\n')[0] : error}`
  }
  return { here, world, ip }
}

test('a machine whose way out is gone blames nobody, without any control target', async (t) => {
  const made = makeNamespaces(t)
  if (typeof made === 'string') return t.skip(made)
  const { here, world, ip } = made
  const serve = `require('net').createServer(s => s.on('error', () => {}).once('data', () => s.end(${JSON.stringify('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')}))).listen(8080, '10.78.0.1', () => console.log('ready'))`
  const target = spawn('ip', ['netns', 'exec', world, process.execPath, '-e', serve], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => target.kill())
  await once(target.stdout, 'data')
  const run = startAlone(t, ['ip', 'netns', 'exec', here])
  const well = { url: 'http://10.78.0.1:8080/', runs: RUNS, limitMs: 2000 }
  const down = { url: 'http://10.78.0.1:1/', runs: 20, limitMs: 5000 }
  assert.equal(count(await run({ ...well, runs: 20 })).passed, 20)

  const strikes: [string, () => void, () => void][] = [
    [
      'default route gone',
      () => ip('-n', here, 'route', 'del', 'default'),
      () => ip('-n', here, 'route', 'add', 'default', 'via', '10.77.0.1'),
    ],
    [
      'gateway dead',
      () => {
        // It is there, and does not answer for its address any more.
        ip('-n', world, 'link', 'set', 'down0', 'arp', 'off')
        ip('-n', here, 'neigh', 'flush', 'dev', 'up0')
      },
      () => {
        ip('-n', world, 'link', 'set', 'down0', 'arp', 'on')
        ip('-n', here, 'neigh', 'flush', 'dev', 'up0')
      },
    ],
  ]
  for (const [name, begin, end] of strikes) {
    begin()
    const during = await run(well)
    end()
    let healthy = await run({ ...well, runs: 20 })
    await until('the network is back', async () => {
      healthy = await run({ ...well, runs: 20 })
      return count(healthy).passed === 20
    })
    const afterwards = await findDown(() => run(down))
    tell(t, name, during, afterwards)
    assert.deepEqual(count(during), { passed: 0, failed: 0, error: RUNS }, during.errors[0])
    assert.deepEqual(count(afterwards).failed, 20, afterwards.errors[0])
  }

  // IPv4 is well; IPv6 is not there, in the two ways in which it usually is not.
  const six = { url: 'http://[2001:db8::1]:8080/', runs: RUNS, limitMs: 5000, ipFamily: 'IPv6' } as const
  const without = await run(six)
  ip('-6', '-n', here, 'route', 'add', 'unreachable', 'default')
  const unreachable = await run(six)
  tell(t, 'no IPv6', { ...without, verdicts: [...without.verdicts, ...unreachable.verdicts] }, await run(down))
  for (const told of [without, unreachable])
    assert.deepEqual(count(told), { passed: 0, failed: 0, error: RUNS }, told.errors[0])
})
