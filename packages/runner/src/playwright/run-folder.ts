/** The folder of a run, and what is made for the run around it. */
import { rm } from 'node:fs/promises'
import type { Log } from '../log.ts'

/** @param how it is undone; later things first, the folder last */
export type Undo = (how: () => Promise<void>) => void

export interface RunFolderOptions {
  makeFolder(): Promise<string>
  /** Called when nothing of it is left. */
  closed(): void
  log: Log
}

/** What is made for a run is undone in the opposite order, whatever becomes of it. @throws what `make` throws */
export async function inFolder<T extends object>(
  { makeFolder, closed, log }: RunFolderOptions,
  make: (folder: string, undo: Undo) => Promise<T>,
): Promise<T & { close(): Promise<void> }> {
  const folder = await makeFolder()
  const undoing: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })]
  let closing: Promise<void> | null = null
  const closeAll = async () => {
    for (const undo of undoing.reverse()) {
      await undo().catch((error: unknown) =>
        log('WARN', `something of a script is left: ${error instanceof Error ? error.message : error}`),
      )
    }
    closed()
  }
  const close = () => {
    closing ??= closeAll()
    return closing
  }
  try {
    return { ...(await make(folder, (how) => undoing.push(how))), close }
  } catch (error) {
    await close()
    throw error
  }
}
