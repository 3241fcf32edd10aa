/**
 * The one way in which anything leaves: a line on descriptor 4. What it uses was taken before any script could replace
 * it. Where the descriptor is not ours (a further process of Playwright's), lines are appended to a file instead, from
 * which the first process passes them on.
 */
import fs from 'node:fs'
import type { ScriptEvent } from '../event.ts'

const { stringify } = JSON
const { writeSync, openSync } = fs
const { from } = Buffer
const { wait } = Atomics

export const EVENTS_FD = 4
let descriptor = EVENTS_FD
let isMute = false

/** In the process that runs the reporter the descriptor is ours, whatever was loaded before. */
export function sayOut(): void {
  descriptor = EVENTS_FD
}

/** From now on lines go to the end of a file. */
export function sayInto(file: string): void {
  descriptor = openSync(file, 'a')
}

/** What is done before there is a run is nobody's to hear. */
export async function mutely<T>(work: () => Promise<T>): Promise<T> {
  isMute = true
  try {
    return await work()
  } finally {
    isMute = false
  }
}

export function say(event: ScriptEvent): void {
  sayLine(stringify(event))
}

export function sayLine(line: string): void {
  if (isMute) return
  const bytes = from(`${line}\n`)
  let written = 0
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
      wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}
