/**
 * Control groups of scripts. Few machines offer some to a test, so most of it is tried against files that keep to the
 * rules of the kernel; the last test runs where there are real ones.
 */
import assert from 'node:assert/strict'
import { basename, dirname } from 'node:path'
import { test } from 'node:test'
import { runContext } from '../testing/builders.ts'
import { findScriptGroups, type GroupFiles, NoGroups } from './control-group.ts'
import { ScriptHost } from './script-host.ts'
import type { ScriptJob } from './script-job.ts'

const ROOT = '/sys/fs/cgroup'
const SERVICE = `${ROOT}/system.slice/vedette.service`
/** No process has it. */
const GONE = 4_194_305

class Refusal extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** The files of control groups, and what the kernel makes of them. */
class FakeKernel implements GroupFiles {
  readonly groups = new Map<string, Map<string, string>>()
  own: string

  constructor(own: string, { controllers = 'cpu memory pids', inside = [process.pid] } = {}) {
    this.own = own
    this.#add(own, controllers)
    this.groups.get(own)?.set('cgroup.procs', inside.join('\n'))
  }

  #add(path: string, controllers: string): void {
    const files = { 'cgroup.controllers': controllers, 'cgroup.subtree_control': '', 'cgroup.procs': '' }
    const limits = controllers.includes('memory') ? { 'memory.max': 'max', 'memory.events': 'oom 0\noom_kill 0\n' } : {}
    const others = controllers.includes('pids') ? { 'pids.max': 'max', 'cgroup.kill': '' } : {}
    const shares = controllers.includes('cpu') ? { 'cpu.max': 'max 100000' } : {}
    this.groups.set(path, new Map(Object.entries({ ...files, ...limits, ...others, ...shares })))
  }

  #at(path: string): Map<string, string> {
    const files = this.groups.get(dirname(path))
    if (files?.has(basename(path)) !== true) throw new Refusal('ENOENT')
    return files
  }

  async read(path: string): Promise<string> {
    if (path === '/proc/self/cgroup') return `0::${this.own.slice(ROOT.length) || '/'}\n`
    return this.#at(path).get(basename(path)) ?? ''
  }

  async write(path: string, text: string): Promise<void> {
    const files = this.#at(path)
    const name = basename(path)
    if (name === 'cgroup.subtree_control') {
      if (files.get('cgroup.procs') !== '') throw new Refusal('EBUSY')
      files.set(name, text.replaceAll('+', ''))
    } else if (name === 'cgroup.procs') {
      for (const others of this.groups.values()) {
        const left = (others.get(name) ?? '').split('\n').filter((pid) => pid !== text)
        others.set(name, left.join('\n'))
      }
      files.set(name, [files.get(name), text].filter((pid) => pid !== '').join('\n'))
    } else if (name === 'cgroup.kill') files.set('cgroup.procs', '')
    else files.set(name, text)
  }

  async list(path: string): Promise<string[]> {
    return [...this.groups.keys()].filter((group) => dirname(group) === path).map((group) => basename(group))
  }

  async make(path: string): Promise<void> {
    const above = this.groups.get(dirname(path))
    if (above === undefined) throw new Refusal('ENOENT')
    if (this.groups.has(path)) throw new Refusal('EEXIST')
    this.#add(path, above.get('cgroup.subtree_control') ?? '')
  }

  async remove(path: string): Promise<void> {
    if (!this.groups.has(path)) throw new Refusal('ENOENT')
    if (this.groups.get(path)?.get('cgroup.procs') !== '') throw new Refusal('EBUSY')
    this.groups.delete(path)
  }
}

test('a script gets a group with limits, which is gone with all in it afterwards', async () => {
  const files = new FakeKernel(SERVICE)
  const groups = await findScriptGroups({ files, isRoot: true })
  const before = [...files.groups.keys()]
  const group = await groups.open()
  await group.add(4711)
  const [path, made] = [...files.groups].find(([name]) => !before.includes(name)) ?? []
  assert.match(path ?? '', /vedette\.service\/vedette-script-\d+-\d+$/)
  assert.equal(made?.get('cgroup.procs'), '4711')
  assert.equal(made?.get('memory.max'), String(384 * 1024 * 1024))
  assert.equal(made?.get('pids.max'), '64')
  await group.close()
  assert.deepEqual([...files.groups.keys()], before)
})

test('a script that needs more gets a group with other limits', async () => {
  const files = new FakeKernel(SERVICE)
  const groups = await findScriptGroups({ files, isRoot: true })
  const group = await groups.open({ bytes: 1000, tasks: 512, processors: 2 })
  const made = [...files.groups.values()].at(-1)
  const limits = ['memory.max', 'pids.max', 'cpu.max'].map((file) => made?.get(file))
  assert.deepEqual(limits, ['1000', '512', '200000 100000'])
  await group.close()
})

test('a runner that is alone in its group makes room by moving itself', async () => {
  const files = new FakeKernel(SERVICE)
  await findScriptGroups({ files, isRoot: true })
  assert.equal(files.groups.get(`${SERVICE}/vedette-runner`)?.get('cgroup.procs'), String(process.pid))
  assert.equal(files.groups.get(SERVICE)?.get('cgroup.subtree_control'), 'memory pids cpu')
})

test('where others live in the group, or too little is delegated, there are none, and the reason is told', async () => {
  const shared = new FakeKernel(SERVICE, { inside: [process.pid, 1] })
  await assert.rejects(findScriptGroups({ files: shared, isRoot: true }), /other processes are in it/)
  assert.deepEqual([...shared.groups.keys()], [SERVICE])
  const poor = new FakeKernel(SERVICE, { controllers: 'cpu pids' })
  await assert.rejects(findScriptGroups({ files: poor, isRoot: true }), /without the controllers memory/)
  const outside = new FakeKernel(`${ROOT}/../elsewhere`)
  await assert.rejects(findScriptGroups({ files: outside, isRoot: true }), NoGroups)
})

test('the group around its own is used by a runner to which it was delegated', async () => {
  const files = new FakeKernel(SERVICE, { inside: [] })
  await files.write(`${SERVICE}/cgroup.subtree_control`, '+memory +pids')
  await files.make(`${SERVICE}/main`)
  await files.write(`${SERVICE}/main/cgroup.procs`, String(process.pid))
  await files.write(`${SERVICE}/main/cgroup.procs`, '4711')
  files.own = `${SERVICE}/main`
  await assert.rejects(findScriptGroups({ files, isRoot: true }), /other processes/)
  const groups = await findScriptGroups({ files, isRoot: false })
  await groups.open()
  assert.equal((await files.list(SERVICE)).length, 2)
})

test('what a runner left that was killed is removed at the next start', async () => {
  const files = new FakeKernel(SERVICE, { inside: [] })
  await files.write(`${SERVICE}/cgroup.subtree_control`, '+memory +pids')
  for (const pid of [GONE, process.ppid]) await files.make(`${SERVICE}/vedette-script-${pid}-7`)
  await files.write(`${SERVICE}/vedette-script-${GONE}-7/cgroup.procs`, '4711')
  await findScriptGroups({ files, isRoot: true })
  assert.deepEqual(await files.list(SERVICE), [`vedette-script-${process.ppid}-7`])
})

test('running out of its own memory is told apart from a machine without any', async () => {
  const files = new FakeKernel(SERVICE)
  const group = await (await findScriptGroups({ files, isRoot: true })).open()
  const [path] = [...files.groups.keys()].slice(-1)
  const events = files.groups.get(path ?? '')
  assert.equal(await group.outOfMemory(), null)
  events?.set('memory.events', 'low 0\nhigh 0\nmax 12\noom 1\noom_kill 3\noom_group_kill 1\n')
  assert.equal(await group.outOfMemory(), 'own')
  events?.set('memory.events', 'low 0\nhigh 0\nmax 0\noom 0\noom_kill 1\noom_group_kill 0\n')
  assert.equal(await group.outOfMemory(), 'machine')
})

const job = (script: string): ScriptJob => ({
  script,
  snippets: [],
  variables: {},
  request: { method: 'GET', url: 'http://h/', body: '', headers: {}, queryParameters: {} },
  response: null,
})

test('a script starts once it is in its group, and its end is told by what the group knows', async () => {
  const files = new FakeKernel(SERVICE)
  const found = await findScriptGroups({ files, isRoot: true })
  const added: number[] = []
  let cause: 'own' | 'machine' | null = null
  let refuses = false
  const groups = {
    async open() {
      const group = await found.open()
      return {
        add: async (pid: number) => {
          if (refuses) throw new Error('EPERM')
          added.push(pid)
          await group.add(pid)
        },
        outOfMemory: async () => cause,
        close: () => group.close(),
      }
    },
  }
  const host = new ScriptHost({ log: () => {}, allowReduced: true, limitMs: 60_000, groups })
  const run = async (script: string) => (await host.run(job(script), runContext().dialer)) ?? assert.fail()
  const done = await run('request.body = "done"')
  assert.ok('done' in done && done.done.request.body === 'done', JSON.stringify(done))
  assert.deepEqual(host.isolation?.layers.includes('cgroup'), true)
  assert.ok(added.length > 1)
  cause = 'own'
  const own = await run('process.exit(9)')
  assert.ok('problem' in own)
  assert.deepEqual([own.problem, own.ours], ['it used more memory than it may', false])
  cause = 'machine'
  const machine = await run('process.exit(9)')
  assert.ok('problem' in machine)
  assert.deepEqual([machine.problem, machine.ours], ['the machine had no memory left for it', true])
  cause = null
  refuses = true
  const unlimited = await run('request.body = "done"')
  assert.ok('problem' in unlimited)
  assert.match(unlimited.problem, /could not be limited/)
  assert.equal(unlimited.ours, true)
  assert.deepEqual(
    (await files.list(SERVICE)).filter((name) => name !== 'vedette-runner'),
    [],
  )
})

test('the kernel ends what takes more memory than its group may', async (t) => {
  const groups = await findScriptGroups().catch((error: Error) => error)
  if (groups instanceof Error) return t.skip(groups.message)
  const host = new ScriptHost({ log: () => {}, allowReduced: true, limitMs: 60_000, groups })
  const bomb = 'const all = []; for (;;) all.push(Buffer.alloc(1e7, 1))'
  const end = await host.run(job(bomb), runContext().dialer)
  assert.ok(end !== null && 'problem' in end)
  assert.deepEqual([end.problem, end.ours], ['it used more memory than it may', false])
})
