/** A worker that Playwright cannot start: it would wait for it until the time of the run is over. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ScriptEvent } from './event.ts'
import type { PlaywrightJob } from './job.ts'
import { startForking } from './testing/forked-runs.ts'
import { InsideProcess, only } from './testing/inside-process.ts'

const isRoot = process.getuid?.() === 0
/** Nobody else's, so that nothing else counts. */
const USER = 640_000 + (process.pid % 10_000)

/** Starts processes, which end with this one, until no more can be started. */
const FILL = `import { spawn } from 'node:child_process'
const started: unknown[] = []
const fill = () => {
  for (;;) {
    const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] }).on('error', () => {})
    if (child.pid === undefined) return
    started.push(child)
  }
}
`
const AFTER_A_FAILURE = `${FILL}
import { test } from '@playwright/test'
test('fills it', () => { fill(); throw new Error('no lanterns') })
test('is never run', () => {})`

/** The command itself loads the file, too. */
const BEFORE_THE_FIRST = `${FILL}
import { test } from '@playwright/test'
if (process.env.TEST_WORKER_INDEX === undefined) fill()
test('is never run', () => {})`

const jobOf = (content: string): PlaywrightJob => ({
  ...{ is: 'test', entry: 'check.spec.ts', limitMs: 600_000, variables: {} },
  recording: { trace: 'off', video: 'off', screenshot: 'off' },
  files: [{ path: 'check.spec.ts', content, encoding: 'utf8' }],
})

const faultsOf = (events: readonly ScriptEvent[]) => only(events, 'fault').map(({ fault }) => fault.message)
const endOf = (events: readonly ScriptEvent[]) => only(events, 'end').map(({ status, code }) => [status, code])
const testsOf = (events: readonly ScriptEvent[]) =>
  only(events, 'test-end').map(({ status, faults }) => [status, faults[0]?.message])

const NOT_STARTED = [
  'A further worker of Playwright could not be started: no more processes and threads can be started (EAGAIN)',
]

function endsAfterAFailure(events: readonly ScriptEvent[]): void {
  assert.deepEqual(faultsOf(events), NOT_STARTED)
  assert.deepEqual(testsOf(events), [['failed', 'Error: no lanterns']])
  assert.deepEqual(endOf(events), [['failed', null]])
}

test('warm: a run ends at once when no further worker can be started, and says why', async (t) => {
  if (!isRoot) return t.skip('the limit is for another user')
  const inside = new InsideProcess('warm', { as: { user: USER, tasks: 60 } })
  endsAfterAFailure(await inside.run(jobOf(AFTER_A_FAILURE)))
})

test('forked: a run ends at once when no further worker can be started, and says why', async (t) => {
  const forking = await startForking(null).catch((error: unknown) => String(error))
  if (typeof forking === 'string') return t.skip(forking)
  t.after(() => forking.close())
  endsAfterAFailure(await forking.run(jobOf(AFTER_A_FAILURE)))
})

test('plain: a run ends at once when no worker can be started, and says why', async (t) => {
  if (!isRoot) return t.skip('the limit is for another user')
  const inside = new InsideProcess('plain', { as: { user: USER, tasks: 60 } })
  const events = await inside.run(jobOf(BEFORE_THE_FIRST))
  assert.deepEqual(faultsOf(events), NOT_STARTED)
  assert.deepEqual(endOf(events), [['failed', null]])
})
