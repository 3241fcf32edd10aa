/** What further processes of a run say into a file is passed on, if it is what they may say. */
import { existsSync, openSync, readSync } from 'node:fs'
import { sayLine } from './say.ts'
import { placesIn } from './settings.ts'

const EVERY_MS = 200
const KINDS: ReadonlySet<unknown> = new Set(['console', 'page-fault', 'request-failed', 'page', 'degraded'])
const { parse, stringify } = JSON
const start = setInterval
const stop = clearInterval

/** @returns ends it, after the last of it */
export function passOn(folder: string): () => void {
  const { said } = placesIn(folder)
  let descriptor: number | null = null
  let at = 0
  let unread = ''
  const decoder = new TextDecoder()
  const buffer = Buffer.alloc(64 * 1024)
  const pass = () => {
    if (descriptor === null) {
      if (!existsSync(said)) return
      descriptor = openSync(said, 'r')
    }
    for (;;) {
      const read = readSync(descriptor, buffer, 0, buffer.length, at)
      if (read === 0) break
      at += read
      const lines = (unread + decoder.decode(buffer.subarray(0, read), { stream: true })).split('\n')
      unread = lines.pop() ?? ''
      for (const line of lines) passLine(line)
    }
  }
  const timer = start(pass, EVERY_MS)
  timer.unref()
  return () => {
    stop(timer)
    pass()
  }
}

function passLine(line: string): void {
  try {
    const event: unknown = parse(line)
    if (typeof event === 'object' && event !== null && 'is' in event && KINDS.has(event.is)) sayLine(stringify(event))
  } catch {
    // The script can write there too.
  }
}
