/** How long processes wait for a processor, as the kernel tells it. */
import fs from 'node:fs'

/** Of `times(2)`, on every Linux there is. */
const TICK_MS = 10

/**
 * Of a process and all below it, what that one has waited which waited longest: the tools around a script want nothing while
 * it runs. Null: it is gone, or the kernel does not tell. It is read at once, whatever else keeps the threads for files busy.
 */
export function waitedForProcessorMs(pid: number): number | null {
  const waitedMs: number[] = []
  const look = (process: number) => {
    try {
      const [, waitedNs] = words(`/proc/${process}/schedstat`)
      const below = words(`/proc/${process}/task/${process}/children`)
      waitedMs.push(Number(waitedNs) / 1e6)
      for (const child of below) look(Number(child))
    } catch {
      // It ended meanwhile, or there is no such file here.
    }
  }
  look(pid)
  return waitedMs.length === 0 ? null : Math.max(...waitedMs)
}

/** What a process and all below it have used, those that ended meanwhile included. */
export function usedOfProcessorsMs(pid: number): number {
  let ticks = 0
  const look = (process: number) => {
    try {
      const stat = fs.readFileSync(`/proc/${process}/stat`, 'latin1')
      // Behind the name, which may hold anything: its own time and that of its children, in user and system mode.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      for (const place of [11, 12, 13, 14]) ticks += Number(fields[place])
      for (const child of words(`/proc/${process}/task/${process}/children`)) look(Number(child))
    } catch {
      // It ended meanwhile.
    }
  }
  look(pid)
  return ticks * TICK_MS
}

let tells: boolean | null = null

/** Whether the kernel tells. */
export function tellsWaiting(): boolean {
  // Kernels that do not count say zero of everybody; we have been running for a while.
  tells ??= waitedForProcessorMs(process.pid) !== null && words('/proc/self/schedstat')[0] !== '0'
  return tells
}

function words(path: string): string[] {
  return fs
    .readFileSync(path, 'latin1')
    .split(/\s+/)
    .filter((word) => word !== '')
}
