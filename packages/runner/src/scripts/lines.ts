/** What comes from a process, line by line. */
import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'

/** Nobody has to say so much at once. */
export const LONGEST_LINE = 4 * 1024 * 1024

export type Stream = ChildProcess['stdio'][number]

/** No more is read before what was has been passed on: whoever writes much waits. */
export function eachLines(
  stream: Stream,
  onLines: (lines: string[], onSaid: () => void) => void,
  takes: (length: number, lineLength: number) => boolean,
): void {
  if (!isReadable(stream)) return
  // Of a line whose end has not come.
  let pieces: string[] = []
  let length = 0
  stream.setEncoding('utf8')
  stream.on('error', () => {})
  stream.on('data', (text: string) => {
    const [first = '', ...others] = text.split('\n')
    if (!takes(text.length, length + first.length)) return
    pieces.push(first)
    length += first.length
    const last = others.pop()
    if (last === undefined) return
    const said = [pieces.join(''), ...others].filter((line) => line !== '')
    pieces = [last]
    length = last.length
    if (said.length === 0) return
    stream.pause()
    onLines(said, () => stream.resume())
  })
  stream.on('end', () => {
    const rest = pieces.join('')
    if (rest !== '') onLines([rest], () => {})
  })
}

function isReadable(stream: Stream): stream is Readable {
  return stream !== null && stream !== undefined && 'read' in stream
}
