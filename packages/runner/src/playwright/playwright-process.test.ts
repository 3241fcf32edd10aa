/** One process and what it says, with shell scripts in place of Playwright. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { ScriptGroup } from '../scripts/control-group.ts'
import { isInstalled } from '../scripts/isolation.ts'
import { tellsWaiting } from '../scripts/processor.ts'
import type { ScriptEvent } from './event.ts'
import type { PlaywrightJob } from './job.ts'
import { PlaywrightProcess } from './playwright-process.ts'

const MEBIBYTE = 1024 * 1024
const JOB: PlaywrightJob = { is: 'program', entry: 'a.js', files: [], variables: {}, limitMs: 60_000 }
const READY = `echo '{"is":"ready"}' >&4; read -r job <&3;`
const end = (status: string) =>
  `echo '{"is":"end","status":"${status}","code":null,"durationMs":1,"filesLeftOut":0}' >&4;`

function started(
  script: string,
  { group = null, readyWithinMs = 60_000 }: { group?: ScriptGroup | null; readyWithinMs?: number } = {},
) {
  const heard: ScriptEvent[] = []
  const env = { PATH: process.env.PATH ?? '' }
  const launch = { command: 'sh', args: ['-c', script], user: null, filter: null, env }
  const limits = { bytes: 200 * MEBIBYTE, tasks: 50, processors: 1 }
  const hear = (event: ScriptEvent) => heard.push(event)
  return { heard, process: new PlaywrightProcess({ launch, limits, group, mayStray: false, hear, readyWithinMs }) }
}

async function endOf(script: string, options: Parameters<typeof started>[1] & { limitMs?: number } = {}) {
  const { heard, process } = started(READY + script, options)
  await process.ready()
  const problem = await process.run({ ...JOB, limitMs: options.limitMs ?? JOB.limitMs })
  assert.equal(process.isOver, true)
  return { heard: heard.map(({ is }) => is), problem, last: heard.at(-1) }
}

test('the first end counts, and the process is ended then', async () => {
  const { heard, problem, last } = await endOf(`${end('failed')} ${end('passed')} sleep 1000`)
  assert.equal(problem, null)
  assert.deepEqual(heard, ['ready', 'end'])
  assert.ok(last?.is === 'end' && last.status === 'failed')
})

test('what is no event is a reason to end it, and nothing after it is heard', async () => {
  for (const garbage of ['garbage', '{}', '{"is":"end"}', '[]', 'null']) {
    const { heard, problem } = await endOf(`echo '${garbage}' >&4; ${end('passed')} sleep 1000`)
    assert.deepEqual(problem, { problem: 'it brought back something that is no result', ours: false })
    assert.deepEqual(heard, ['ready'])
  }
})

test('an end without a result says how it came, and what was written last', async () => {
  assert.deepEqual((await endOf('echo alas >&2; exit 3')).problem, {
    problem: 'it ended without a result (exit code 3): alas',
    ours: false,
  })
  const killed = await endOf('kill -KILL $$')
  assert.deepEqual(killed.problem, { problem: 'it ended without a result (SIGKILL)', ours: false })
  assert.match((await endOf('exit 13')).problem?.problem ?? '', /never comes/)
})

test('a run that had to share a processor with others until its time was over is not to blame for it', async (t) => {
  if (!tellsWaiting() || !isInstalled('taskset')) return t.skip('the kernel must tell who waits, and taskset is needed')
  const processor = /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  const loop = `taskset -pc ${processor} $$ >&2; while :; do :; done`
  for (const { problem } of await Promise.all([1, 2, 3, 4].map(() => endOf(loop, { limitMs: 1000 })))) {
    assert.match(problem?.problem ?? '', /^it was not done within 1 s, of which it waited \d\.\d s for a processor$/)
    assert.deepEqual([problem?.ours, problem?.isForWantOfRoom], [true, true])
  }
})

test('a crash of its process is trouble of ours, whoever tells of it, unless it wanted more memory than it may', async () => {
  const crashed = { problem: 'its process crashed (SIGABRT): Assertion failed', ours: true }
  assert.deepEqual((await endOf('echo Assertion failed >&2; kill -ABRT $$')).problem, crashed)
  assert.deepEqual((await endOf('echo Assertion failed >&2; exit 134')).problem, crashed)
  const words = 'Reached heap limit Allocation failed - JavaScript heap out of memory'
  const greedy = await endOf(`seq 2000 >&2; echo '${words}' >&2; kill -ABRT $$`)
  assert.equal(greedy.problem?.ours, false)
  assert.match(greedy.problem?.problem ?? '', /^it used more memory than its heap may have/)
})

test('what does not come to be ready is trouble of ours', async () => {
  const silent = started('sleep 1000', { readyWithinMs: 50 })
  await assert.rejects(silent.process.ready(), /not ready within 0.05 s/)
  await silent.process.ended
  const early = started('echo broken >&2; exit 1')
  await assert.rejects(early.process.ready(), /exit code 1\): broken/)
  const forward = started(`${end('passed')} sleep 1000`)
  await assert.rejects(forward.process.ready(), /no result/)
  await forward.process.ended
  assert.equal(forward.heard.length, 0)
})

test('at its limit it is told to end, and ended when it does not', async () => {
  const told = await endOf(`read -r line <&3; echo "$line" >&2; ${end('interrupted')}`, { limitMs: 500 })
  const outOfTime = { problem: 'it was not done within 0.5 s', ours: false, isOutOfTime: true }
  assert.deepEqual(told.problem, outOfTime)
  assert.ok(told.last?.is === 'end' && told.last.status === 'interrupted')
  const deaf = await endOf('while :; do sleep 1000; done', { limitMs: 500 })
  assert.deepEqual(deaf.problem, outOfTime)
  const hasty = await endOf(`${end('interrupted')} sleep 1000`)
  assert.equal(hasty.problem, null, 'what interrupts itself before its limit has ended by itself')
})

test('too many processes, or a line without end, are a reason to end it', async () => {
  const many = await endOf('for n in $(seq 60); do sleep 1000 & done; wait')
  assert.deepEqual(many.problem, { problem: 'it had more processes and threads than the 50 that it may', ours: false })
  const long = await endOf('head -c 5000000 /dev/zero >&4; sleep 1000')
  assert.match(long.problem?.problem ?? '', /a line of more than 4/)
})

test('it begins once it is in its control group, which knows why it ended', async () => {
  let added = 0
  let cause: 'own' | 'machine' | null = 'own'
  const group: ScriptGroup = {
    add: async () => {
      added += 1
    },
    outOfMemory: async () => cause,
    close: async () => {},
  }
  const own = await endOf('exit 137', { group })
  assert.deepEqual(own.problem, { problem: 'it used more memory than the 200 MiB that it may', ours: false })
  cause = 'machine'
  const machine = await endOf('exit 137', { group })
  const noMemory = { problem: 'the machine had no memory left for it', ours: true, isForWantOfRoom: true }
  assert.deepEqual(machine.problem, noMemory)
  cause = null
  assert.equal((await endOf(end('passed'), { group })).problem, null)
  assert.equal(added, 3)
  const refused = started(READY, { group: { ...group, add: () => Promise.reject(new Error('EPERM')) } })
  await assert.rejects(refused.process.ready(), /could not be limited: Error: EPERM/)
  await refused.process.ended
})
