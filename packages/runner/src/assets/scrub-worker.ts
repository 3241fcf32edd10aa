/** Takes secrets out of one file, beside the thread that starts runs when they are due. */
import { parentPort, workerData } from 'node:worker_threads'
import { fileScrubber } from './scrub-files.ts'

const { bytes, secrets }: { bytes: Uint8Array; secrets: string[] } = workerData
try {
  const clean = fileScrubber(secrets)(bytes)
  parentPort?.postMessage({ clean: clean === bytes ? null : clean })
} catch (error) {
  parentPort?.postMessage({ problem: error instanceof Error ? error.message : String(error) })
}
