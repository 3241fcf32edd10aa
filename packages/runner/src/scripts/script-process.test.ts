import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isInstalled } from './isolation.ts'
import { tellsWaiting, waitedForProcessorMs } from './processor.ts'
import type { ScriptJob } from './script-job.ts'
import { runProcess } from './script-process.ts'

const request = { method: 'GET' as const, url: 'http://h/', body: '', headers: {}, queryParameters: {} }
const job: ScriptJob = { script: '', snippets: [], variables: {}, request, response: null }
const LIMIT_MS = 2000
const AT_ONCE = 4

test('scripts that had to share a processor until their time was over are not to blame for it', async (t) => {
  if (!tellsWaiting() || !isInstalled('taskset')) return t.skip('the kernel must tell who waits, and taskset is needed')
  const processor = /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  assert.ok(processor !== undefined)
  const loop = {
    command: 'taskset',
    args: ['-c', processor, 'sh', '-c', 'while :; do :; done'],
    user: null,
    filter: null,
  }
  const ends = await Promise.all(Array.from({ length: AT_ONCE }, () => runProcess(loop, job, LIMIT_MS, null)))
  for (const end of ends) {
    assert.ok('problem' in end)
    assert.match(end.problem, /^it was not done within 2 s, of which it waited \d\.\d s for a processor$/)
    assert.equal(end.ours, true)
  }
})

test('nobody tells how long a process waited that is gone', () => {
  // No process has it.
  assert.equal(waitedForProcessorMs(4_194_305), null)
})
