/** The one piece of native code: it is compiled where it is used, unless whoever has packed us has done so. */
import { execFile } from 'node:child_process'
import { copyFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isInstalled } from '../scripts/isolation.ts'

const NATIVE = fileURLToPath(new URL('../../native', import.meta.url))
const COMPILED_WITHIN_MS = 60_000
const run = promisify(execFile)

/**
 * @param place where it is to be
 * @throws Error when it is not packed, and there is nothing to compile it with
 */
export async function bringForkAddon(place: string): Promise<void> {
  try {
    await copyFile(join(NATIVE, 'fork.node'), place)
  } catch {
    await compileForkAddon(place)
  }
}

export async function compileForkAddon(place: string): Promise<void> {
  if (!isInstalled('cc')) throw new Error('there is no C compiler (cc) on this machine')
  const headers = join(dirname(createRequire(import.meta.url).resolve('node-api-headers/package.json')), 'include')
  const args = ['-shared', '-fPIC', '-O1', '-Wall', '-I', headers, '-o', place, join(NATIVE, 'fork.c')]
  await run('cc', args, { timeout: COMPILED_WITHIN_MS })
}
