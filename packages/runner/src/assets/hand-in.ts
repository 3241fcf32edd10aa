/**
 * Brings the files that a run left to the server, before the run is reported. The report waits for them a bounded time and is
 * told of those alone that have arrived: no result is lost, or late for long, because of a file.
 */
import { filesToKeep, isSample, type KeepingQuestion, type Scrub } from '@vedette/core'
import { routes, SCRIPT_ASSET_NAME, type ScriptAsset, type ScriptFile } from '@vedette/schema'
import { type ServerLink, ServerRefusal } from '../server-link.ts'
import { scrubFile } from './scrub-file.ts'

const PATIENCE_MS = 30_000
const AGAIN_AFTER_MS = 500
const REMEMBERED_CHECKS = 10_000

export interface LeftByRun extends Pick<KeepingQuestion, 'verdict' | 'isOnDemand'> {
  leaseId: string
  checkId: string
  files: readonly ScriptFile[]
  /** What must not leave with a file. */
  secrets: readonly string[]
  clean: Scrub
}

export interface HandedIn {
  /** What the server has. */
  taken: ScriptAsset[]
  /** Why it does not have all that was to be kept; null: it has. */
  problem: string | null
}

export class AssetDesk {
  readonly #link: Pick<ServerLink, 'upload'>
  readonly #patienceMs: number
  /** When files of a passing run were kept last, by check: each runner keeps examples of its own. */
  readonly #sampledAt = new Map<string, number>()

  constructor(link: Pick<ServerLink, 'upload'>, patienceMs = PATIENCE_MS) {
    this.#link = link
    this.#patienceMs = patienceMs
  }

  /** Never throws. */
  async handIn({ leaseId, checkId, files, secrets, clean, ...run }: LeftByRun): Promise<HandedIn> {
    const now = performance.now()
    const sampledAt = this.#sampledAt.get(checkId)
    const question = { ...run, sampledAgoMs: sampledAt === undefined ? null : now - sampledAt }
    const taken: ScriptAsset[] = []
    const kept = filesToKeep(files, question)
    const signal = AbortSignal.timeout(this.#patienceMs)
    for (const [at, file] of kept.entries()) {
      const asset = named(file, at, clean)
      try {
        const content = await scrubFile(file.content, secrets, signal)
        await this.#send(leaseId, asset, content, signal)
        taken.push({ ...asset, size: content.length })
      } catch (error) {
        // What went wrong once would go wrong with each of them.
        const problem = signal.aborted
          ? `they could not be handed in within ${this.#patienceMs / 1000} s`
          : error instanceof Error
            ? error.message
            : String(error)
        return { taken, problem: clean(`${taken.length} of ${kept.length} files of this run are kept: ${problem}`) }
      }
    }
    if (kept.length > 0 && isSample(question)) this.#noteSample(checkId, now)
    return { taken, problem: null }
  }

  /** The one whose example is the oldest is forgotten first. */
  #noteSample(checkId: string, now: number): void {
    this.#sampledAt.delete(checkId)
    this.#sampledAt.set(checkId, now)
    const [oldest] = this.#sampledAt.keys()
    if (oldest !== undefined && this.#sampledAt.size > REMEMBERED_CHECKS) this.#sampledAt.delete(oldest)
  }

  async #send(leaseId: string, { name, type, contentType }: ScriptAsset, content: Uint8Array, signal: AbortSignal) {
    const parts = { params: { leaseId, name }, query: { type, contentType } }
    try {
      await this.#link.upload(routes.uploadAsset, parts, content, { signal, timeoutMs: this.#patienceMs })
    } catch (error) {
      if (error instanceof ServerRefusal || signal.aborted) throw error
      await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS))
      await this.#link.upload(routes.uploadAsset, parts, content, { signal, timeoutMs: this.#patienceMs })
    }
  }
}

/** Without secrets, in characters that an address may have. */
function named({ content: _, ...file }: ScriptFile, at: number, clean: Scrub): ScriptAsset {
  const name = clean(file.name)
  const contentType = clean(file.contentType).replace(/[^\x20-\x7e]/g, '')
  return {
    ...file,
    name: new RegExp(SCRIPT_ASSET_NAME).test(name) ? name : `hidden-${at}-${file.type}`,
    contentType,
    test: file.test === null ? null : clean(file.test),
  }
}
