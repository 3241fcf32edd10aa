/** What a run prints, as far as it is kept. */
import { say } from './say.ts'
import { plain } from './texts.ts'

const { now } = Date
const { from } = Buffer
const later = process.nextTick
const LIMIT = 1024 * 1024
const PIECE = 65_536

let left = LIMIT

export function tellOutput(stream: 'out' | 'err', chunk: string | Uint8Array): void {
  if (left === 0) return
  const whole = plain(typeof chunk === 'string' ? chunk : from(chunk).toString('utf8'), left)
  left = Math.max(0, left - whole.length)
  for (let start = 0; start < whole.length; start += PIECE)
    say({ is: 'output', stream, text: whole.slice(start, start + PIECE), at: now() })
  if (left === 0) say({ is: 'output', stream: 'err', text: '… (more is not kept)\n', at: now() })
}

/** Whatever is printed in this process is told. */
export function tellOwnOutput(): void {
  const writer =
    (stream: 'out' | 'err') =>
    (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      tellOutput(stream, chunk)
      // Whoever waits for it to be written waits for ever otherwise.
      const done = rest.find((value) => typeof value === 'function')
      if (done) later(done)
      return true
    }
  process.stdout.write = writer('out')
  process.stderr.write = writer('err')
}
