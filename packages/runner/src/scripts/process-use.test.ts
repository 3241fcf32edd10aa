import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { type ListedProcess, listProcesses, parseStatus, useOf } from './process-use.ts'

const listed = (pid: number, parent: number, user = 0): ListedProcess => ({
  pid,
  parent,
  user,
  bytes: 1 << pid,
  tasks: 1,
})

test('a process is counted with all that it started, and with whoever else runs as its user', () => {
  const processes = [listed(3, 2), listed(1, 0), listed(2, 1), listed(4, 1), listed(5, 1, 61_000), listed(6, 5)]
  assert.deepEqual(useOf(processes, 2, null), { bytes: 0b1100, tasks: 2 })
  assert.deepEqual(useOf(processes, 2, 61_000), { bytes: 0b1101100, tasks: 4 })
  assert.deepEqual(useOf(processes, 9, null), { bytes: 0, tasks: 0 })
})

test('numbers that were given out anew do not send it round in circles', () => {
  assert.deepEqual(useOf([listed(1, 2), listed(2, 1)], 1, null), { bytes: 0b110, tasks: 2 })
})

test('what the kernel says of a process is read, and nothing that its name makes up', () => {
  const status =
    'Name:\tx\\nPPid:\t9\nUmask:\t0022\nPPid:\t7\nUid:\t61001\t61001\t61001\t61001\nRssAnon:\t    20 kB\nRssShmem:\t     4 kB\nThreads:\t3\n'
  assert.deepEqual(parseStatus(5, status), { pid: 5, parent: 7, user: 61_001, bytes: 24 * 1024, tasks: 3 })
})

test('what is read is about what a process has taken', async (t) => {
  const child = spawn(process.execPath, [
    '-e',
    'const a = Buffer.alloc(2e8, 1); console.log(a.length); setTimeout(() => {}, 1e9)',
  ])
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const { bytes, tasks } = useOf(listProcesses(), child.pid ?? 0, null)
  assert.ok(bytes > 2e8 && bytes < 4e8, `${bytes}`)
  assert.ok(tasks > 1)
})
