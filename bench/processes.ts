/** What processes have used, read from the kernel. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_A_SECOND = 100

interface ProcessStat {
  pid: number
  parent: number
  /** CPU milliseconds, its ended children included. */
  cpuMs: number
}

function readStat(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0)
    return { pid, parent: Number(fields[1]), cpuMs: (ticks * 1000) / TICKS_A_SECOND }
  } catch {
    // It has just ended.
    return undefined
  }
}

/** A process and everything below it. */
export function treeOf(root: number): number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)) ?? [])
  const tree = [root]
  for (let index = 0; index < tree.length; index += 1) {
    tree.push(...all.filter((stat) => stat.parent === tree[index]).map((stat) => stat.pid))
  }
  return tree
}

/** The process of a tree whose command line names a file. */
export function findInTree(root: number, file: string): number {
  const found = treeOf(root).find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(file))
  if (found === undefined) throw new Error(`No process below ${root} runs ${file}.`)
  return found
}

/** CPU milliseconds of a process tree so far. */
export function cpuOfTree(root: number): number {
  return treeOf(root).reduce((sum, pid) => sum + (readStat(pid)?.cpuMs ?? 0), 0)
}

/** CPU milliseconds of one process so far. */
export function cpuOf(pid: number): number {
  return readStat(pid)?.cpuMs ?? 0
}

/**
 * CPU milliseconds of the whole machine so far. For work whose processes are killed when it is done: nobody waits for
 * them, so their use is added to nobody's.
 */
export function cpuOfMachine(): number {
  const [, user, nice, system, , , irq, softirq] =
    readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/ +/) ?? []
  const ticks = [user, nice, system, irq, softirq].reduce((sum, field) => sum + Number(field), 0)
  return (ticks * 1000) / TICKS_A_SECOND
}

/** Resident megabytes of processes, shared pages counted once each. */
export function residentMb(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return sum + Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0) / 1024
  }, 0)
}
