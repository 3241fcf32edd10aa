/**
 * A control group (version 2) for each script, where this runner has one below which it may make others: the kernel then
 * limits the memory, processes and processor of all that the script starts, and ends it as a whole.
 */
import fs from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** What the group of a script may use. */
export interface GroupLimits {
  bytes: number
  tasks: number
  processors: number
}
/** Of scripts before and after requests: their own memory, and what Node.js takes for itself. */
const SMALL: GroupLimits = { bytes: (256 + 128) * 1024 * 1024, tasks: 64, processors: 1 }

const filesOf = ({ bytes, tasks, processors }: GroupLimits): Readonly<Record<string, string>> => ({
  'memory.max': String(bytes),
  'memory.swap.max': '0',
  // The script without some part of it would only wait for that part.
  'memory.oom.group': '1',
  'pids.max': String(tasks),
  'cpu.max': `${100_000 * processors} 100000`,
})
/** Not on every kernel, or not given to us: the others are limits enough. */
const OPTIONAL = new Set(['memory.swap.max', 'memory.oom.group', 'cpu.max'])
const NEEDED = ['memory', 'pids']
const WANTED = [...NEEDED, 'cpu']
const GONE_WITHIN_MS = 2000
const NAME = 'vedette-script'

export interface ScriptGroups {
  /** @param limits those of scripts before and after requests, if none are given */
  open(limits?: GroupLimits): Promise<ScriptGroup>
}

export interface ScriptGroup {
  add(pid: number): Promise<void>
  /** Why the kernel ended something in it: its own limit was reached, or the machine had no memory left. */
  outOfMemory(): Promise<'own' | 'machine' | null>
  /** Ends what is left in it, and the group. */
  close(): Promise<void>
}

/** What is done with the files of control groups. */
export interface GroupFiles {
  read(path: string): Promise<string>
  write(path: string, text: string): Promise<void>
  list(path: string): Promise<string[]>
  make(path: string): Promise<void>
  remove(path: string): Promise<void>
}

const kernel: GroupFiles = {
  read: (path) => fs.readFile(path, 'utf8'),
  write: (path, text) => fs.writeFile(path, text),
  list: (path) => fs.readdir(path),
  make: (path) => fs.mkdir(path),
  remove: (path) => fs.rmdir(path),
}

export interface GroupPlace {
  files?: GroupFiles
  /** Where control groups are mounted. */
  root?: string
  pid?: number
  /** Root may write to groups that others look after: those around its own are left alone. */
  isRoot?: boolean
}

/** Why there are none. */
export class NoGroups extends Error {}

/** @throws NoGroups */
export async function findScriptGroups(place: GroupPlace = {}): Promise<ScriptGroups> {
  const { files = kernel, root = '/sys/fs/cgroup', pid = process.pid, isRoot = process.getuid?.() === 0 } = place
  const own = await ownFolder(files, root)
  const problems: string[] = []
  for (const folder of isRoot || own === root ? [own] : [own, dirname(own)]) {
    try {
      await giveAway(files, folder, pid)
      const groups = new Below(files, folder, pid)
      await groups.sweep()
      const trial = await groups.open()
      await trial.close()
      return groups
    } catch (error) {
      problems.push(`${folder}: ${error instanceof Error ? error.message : error}`)
    }
  }
  throw new NoGroups(problems.join('; '))
}

async function ownFolder(files: GroupFiles, root: string): Promise<string> {
  const text = await files.read('/proc/self/cgroup').catch(() => '')
  const path = /^0::(\/.*)$/m.exec(text)?.[1]
  if (path === undefined || path.includes('/..')) throw new NoGroups('this process is in no control group of version 2')
  return path === '/' ? root : join(root, path)
}

/** Lets the groups below a folder have limits of their own, for which no process may be in the folder itself. */
async function giveAway(files: GroupFiles, folder: string, pid: number): Promise<void> {
  const control = join(folder, 'cgroup.subtree_control')
  const words = async (path: string) => (await files.read(path)).split(/\s+/)
  const given = await words(control)
  if (NEEDED.every((name) => given.includes(name))) return
  const offered = await words(join(folder, 'cgroup.controllers'))
  const missing = NEEDED.filter((name) => !offered.includes(name))
  if (missing.length > 0) throw new Error(`without the controllers ${missing.join(', ')}`)
  const give = () =>
    files.write(
      control,
      WANTED.filter((name) => offered.includes(name))
        .map((name) => `+${name}`)
        .join(' '),
    )
  try {
    await give()
  } catch (error) {
    if (codeOf(error) !== 'EBUSY') throw error
    const inside = (await words(join(folder, 'cgroup.procs'))).filter((text) => text !== '')
    if (inside.some((text) => text !== String(pid))) throw new Error('other processes are in it')
    const ours = join(folder, 'vedette-runner')
    await files.make(ours).catch((cause: unknown) => unless(cause, 'EEXIST'))
    await files.write(join(ours, 'cgroup.procs'), String(pid))
    await give()
  }
}

class Below implements ScriptGroups {
  readonly #files: GroupFiles
  readonly #folder: string
  readonly #pid: number
  #opened = 0

  constructor(files: GroupFiles, folder: string, pid: number) {
    this.#files = files
    this.#folder = folder
    this.#pid = pid
  }

  async open(limits = SMALL): Promise<ScriptGroup> {
    this.#opened += 1
    const path = join(this.#folder, `${NAME}-${this.#pid}-${this.#opened}`)
    await this.#files.make(path)
    const group = new Group(this.#files, path)
    try {
      for (const [file, limit] of Object.entries(filesOf(limits))) {
        const written = this.#files.write(join(path, file), limit)
        await (OPTIONAL.has(file) ? written.catch(() => {}) : written)
      }
    } catch (error) {
      await group.close()
      throw error
    }
    return group
  }

  /** What runners left that were killed. */
  async sweep(): Promise<void> {
    for (const name of await this.#files.list(this.#folder)) {
      const runner = new RegExp(`^${NAME}-(\\d+)-\\d+$`).exec(name)?.[1]
      if (runner === undefined || (runner !== String(this.#pid) && isAlive(Number(runner)))) continue
      await new Group(this.#files, join(this.#folder, name)).close()
    }
  }
}

class Group implements ScriptGroup {
  readonly #files: GroupFiles
  readonly #path: string

  constructor(files: GroupFiles, path: string) {
    this.#files = files
    this.#path = path
  }

  add(pid: number): Promise<void> {
    return this.#files.write(join(this.#path, 'cgroup.procs'), String(pid))
  }

  async outOfMemory(): Promise<'own' | 'machine' | null> {
    const text = await this.#files.read(join(this.#path, 'memory.events'))
    const count = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
    if (count('oom_kill') === 0) return null
    return count('oom') > 0 ? 'own' : 'machine'
  }

  async close(): Promise<void> {
    // Kernels before 5.14 do not have it; then the processes end with their first one.
    await this.#files.write(join(this.#path, 'cgroup.kill'), '1').catch(() => {})
    const givenUpAt = performance.now() + GONE_WITHIN_MS
    for (;;) {
      try {
        return await this.#files.remove(this.#path)
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return
        if (codeOf(error) !== 'EBUSY' || performance.now() > givenUpAt) throw error
      }
      await wait(5)
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function unless(error: unknown, code: string): void {
  if (codeOf(error) !== code) throw error
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : null)
