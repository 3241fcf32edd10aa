/** Uploads the project of a suite. */
import { BUNDLE_LIMITS, type CodeBundle, routes } from '@vedette/schema'
import { upload } from './call.ts'
import { Refusal } from './refusal.ts'

export interface Uploading {
  /** A share of one. */
  onProgress: (share: number) => void
  signal: AbortSignal
}

export async function uploadBundle(archive: File, uploading: Uploading): Promise<CodeBundle> {
  // The server would say so too, but not before most of it had been sent.
  if (archive.size > BUNDLE_LIMITS.bytes)
    throw new Refusal(413, `The archive is larger than ${BUNDLE_LIMITS.bytes / 1024 / 1024} MiB.`)
  return upload(routes.uploadPlaywrightBundle, archive, uploading)
}
