/** A project that was uploaded as an archive, for checks that run it as a suite. */
import Type, { type Static } from 'typebox'
import { DateTime } from './shape.ts'

const SHA256 = '[0-9a-f]{64}'
const EXAMPLE = '0f343b0931126a20f133d67c2b018a3b5e7b9b2ad5f0e1e6a4a5d7c2b1a09f8e'

/** Paths follow from the bytes: the same archive has the same path in an account, however often it is uploaded. */
export const CODE_BUNDLE_PATH = {
  of: (sha256: string): string => `bundles/${sha256}.tar.gz`,
  /** Undefined: no path of ours. */
  sha256In: (path: string): string | undefined => /^bundles\/([0-9a-f]{64})\.tar\.gz$/.exec(path)?.[1],
  example: `bundles/${EXAMPLE}.tar.gz`,
}

export const BUNDLE_LIMITS = {
  /** As it is uploaded. */
  bytes: 50 * 1024 * 1024,
  unpackedBytes: 200 * 1024 * 1024,
  files: 10_000,
  /** Of all bundles of an account. Those that no check uses make room, the longest unused first. */
  accountBytes: 5 * 1024 * 1024 * 1024,
} as const

export const CodeBundle = Type.Object({
  codeBundlePath: Type.String({
    description: 'For checks of the kind PLAYWRIGHT.',
    examples: [CODE_BUNDLE_PATH.example],
  }),
  size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
  sha256: Type.String({ pattern: `^${SHA256}$`, description: 'Of the archive, in hex.', examples: [EXAMPLE] }),
  files: Type.Integer({ minimum: 0, description: 'So many files are in it.' }),
  created_at: DateTime,
})
export type CodeBundle = Static<typeof CodeBundle>
