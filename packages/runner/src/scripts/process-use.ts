/** What a process and all that it has started use of the machine, as the kernel lists it. */
import fs from 'node:fs'

export interface ListedProcess {
  pid: number
  parent: number
  user: number
  /** Of its own, or shared with others on purpose: not the programs and libraries that it runs. */
  bytes: number
  tasks: number
}

export interface Use {
  bytes: number
  tasks: number
}

export function listProcesses(proc = '/proc'): ListedProcess[] {
  const listed: ListedProcess[] = []
  for (const name of fs.readdirSync(proc)) {
    if (!/^\d+$/.test(name)) continue
    try {
      listed.push(parseStatus(Number(name), fs.readFileSync(`${proc}/${name}/status`, 'utf8')))
    } catch {
      // It has ended meanwhile.
    }
  }
  return listed
}

export function parseStatus(pid: number, status: string): ListedProcess {
  const number = (name: string) => {
    const at = status.indexOf(`\n${name}:`)
    return at < 0 ? 0 : Number.parseInt(status.slice(at + name.length + 2, at + name.length + 40), 10)
  }
  return {
    pid,
    parent: number('PPid'),
    user: number('Uid'),
    bytes: 1024 * (number('RssAnon') + number('RssShmem')),
    tasks: number('Threads'),
  }
}

/** @param user whose processes all belong to it, wherever they have gone; null: others run as the same one */
export function useOf(processes: readonly ListedProcess[], root: number, user: number | null): Use {
  const children = Map.groupBy(processes, ({ parent }) => parent)
  const counted = new Set<number>()
  const use: Use = { bytes: 0, tasks: 0 }
  const open = processes.filter(({ pid, user: whose }) => pid === root || (user !== null && whose === user))
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (counted.has(one.pid)) continue
    counted.add(one.pid)
    use.bytes += one.bytes
    use.tasks += one.tasks
    open.push(...(children.get(one.pid) ?? []))
  }
  return use
}

/**
 * The number that a process has here which others know by other numbers.
 * @param root a process from which it descends
 * @param numbers what the innermost namespaces call it, the last one last
 */
export function findInside(root: number, numbers: readonly number[], proc = '/proc'): number | null {
  const parents = new Map(listProcesses(proc).map(({ pid, parent }) => [pid, parent]))
  const descends = (pid: number) => {
    let above = parents.get(pid)
    for (let turn = 0; above !== undefined && above !== root && turn < parents.size; turn += 1)
      above = parents.get(above)
    return above === root
  }
  for (const pid of parents.keys()) {
    if (!descends(pid)) continue
    try {
      const known = /^NSpid:\t(.*)$/m
        .exec(fs.readFileSync(`${proc}/${pid}/status`, 'utf8'))?.[1]
        ?.split('\t')
        .map(Number)
      if (known !== undefined && numbers.every((number, place) => known.at(place - numbers.length) === number))
        return pid
    } catch {
      // It has ended meanwhile.
    }
  }
  return null
}
