/** Where the files are that runs left. What is stored under which key is in the database. */
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'

/** The first and the last byte. */
export interface ByteRange {
  first: number
  last: number
}

export interface StoredFile {
  key: string
  modifiedAtMs: number
}

export interface AssetStore {
  /** For messages. */
  readonly description: string
  /** Whole or not at all. @throws NoRoom, or what went wrong */
  put(key: string, content: Readable, size: number): Promise<void>
  /** Null: it is not there. */
  read(key: string, range: ByteRange | null): Promise<Readable | null>
  /** What is not there is as good as deleted. */
  delete(key: string): Promise<void>
  /** All that is there, also what was begun and never finished. */
  list(): AsyncIterable<StoredFile>
}

/** The store is full. */
export class NoRoom extends Error {}

/** Nothing of it comes from outside. */
export function newKey(): string {
  const id = randomUUID()
  return `${id.slice(0, 2)}/${id.slice(2, 4)}/${id}`
}

export const ASSET_KEY = /^[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
