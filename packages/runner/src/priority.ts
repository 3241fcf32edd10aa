/**
 * What is due begins in time although scripts and others want every processor: a service is given one before them, where it
 * may ask for that, which is root's to do. Scripts are none the worse among themselves: to make them give way instead would
 * starve them wherever a machine is full.
 */
import fs from 'node:fs'
import os from 'node:os'

/** Three times the share of others: to be first it takes hardly more, and whoever serves us has to go on. */
const NICE = -5

export function takePriority(): void {
  if (!isService()) return
  try {
    os.setPriority(NICE)
    // Where the kernel shares processors between sessions first, priorities count within a session alone.
    fs.writeFileSync('/proc/self/autogroup', String(NICE))
  } catch {
    // Not ours to ask for, or there are no such sessions here: then we are one among all others.
  }
}

/** For what we have started, and to which our priority does not belong. */
export function layDownPriority(): void {
  if (os.getPriority() < 0) os.setPriority(0)
}

/** Whether the session is ours, or that of whoever started us, and nobody's terminal. */
function isService(): boolean {
  try {
    const stat = fs.readFileSync('/proc/self/stat', 'latin1')
    const [, , , session, terminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return terminal === '0' && [process.pid, process.ppid].includes(Number(session))
  } catch {
    return false
  }
}
