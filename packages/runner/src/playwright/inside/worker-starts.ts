/** Playwright waits without end for a worker that could not be started: whoever runs it is told, so that the run ends. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ScriptFault } from '../event.ts'
import { plain } from './texts.ts'

/** Of Node.js: it tells of whatever a process could not start, whether that is thrown or told later. */
const NOT_STARTED = 'tracing:child_process.spawn:error'
const ITS_OWN = /[\\/](?:@playwright[\\/]test|playwright)[\\/]lib[\\/].*\.js$/
const REASONS: Readonly<Record<string, string>> = {
  EAGAIN: 'no more processes and threads can be started (EAGAIN)',
  ENOMEM: 'there is no memory for it (ENOMEM)',
}

/** @returns ends it */
export function watchWorkerStarts(failed: (fault: ScriptFault) => void): () => void {
  const hear = (message: unknown) => {
    const error = isFailedStart(message) ? message.error : null
    if (error === null) return
    const reason = REASONS[error.code ?? ''] ?? error.message
    const text = plain(`A further worker of Playwright could not be started: ${reason}`, 1000)
    failed({ message: text, stack: null, snippet: null, location: null })
  }
  subscribe(NOT_STARTED, hear)
  return () => void unsubscribe(NOT_STARTED, hear)
}

interface FailedStart {
  process: { spawnargs: readonly unknown[] }
  error: NodeJS.ErrnoException
}

function isFailedStart(message: unknown): message is FailedStart {
  if (typeof message !== 'object' || message === null || !('process' in message) || !('error' in message)) return false
  const { process, error } = message
  if (!(error instanceof Error) || typeof process !== 'object' || process === null) return false
  const args = 'spawnargs' in process ? process.spawnargs : null
  return Array.isArray(args) && args.some((arg) => typeof arg === 'string' && ITS_OWN.test(arg))
}
