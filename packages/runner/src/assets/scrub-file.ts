/** Takes secrets out of a file: at once where that is little work, else on a thread of its own. */
import { Worker } from 'node:worker_threads'
import { fileScrubber, workIn } from './scrub-files.ts'

/** Read in some milliseconds: starting a thread takes longer. */
const AT_ONCE_BYTES = 512 * 1024

/** @throws Error that says why it cannot be told what is in the file, or that it took too long */
export async function scrubFile(
  bytes: Uint8Array,
  secrets: readonly string[],
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (secrets.length === 0 || workIn(bytes) === 0) return bytes
  return workIn(bytes) <= AT_ONCE_BYTES ? fileScrubber(secrets)(bytes) : elsewhere(bytes, secrets, signal)
}

function elsewhere(bytes: Uint8Array, secrets: readonly string[], signal: AbortSignal): Promise<Uint8Array> {
  const worker = new Worker(new URL('./scrub-worker.ts', import.meta.url), { workerData: { bytes, secrets }, env: {} })
  return new Promise<Uint8Array>((resolve, reject) => {
    const giveUp = () => reject(new Error('there was no time to look for secrets in it'))
    signal.addEventListener('abort', giveUp, { once: true })
    if (signal.aborted) giveUp()
    worker.once('message', ({ clean, problem }: { clean?: Uint8Array | null; problem?: string }) => {
      if (problem === undefined) resolve(clean ?? bytes)
      else reject(new Error(problem))
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the search for secrets ended without a word')))
  }).finally(() => worker.terminate())
}
