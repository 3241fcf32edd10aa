/** Code in colours. What they say can be read without them. */
import { memo, type ReactNode, useMemo } from 'react'
import { highlight, type Look, type Piece } from './highlight.ts'

const looks: Readonly<Record<Look, string | null>> = {
  plain: null,
  comment: 'text-faint italic',
  string: 'text-(--series-4)',
  number: 'text-(--series-2)',
  keyword: 'text-(--series-3)',
  call: 'text-(--series-1)',
  type: 'text-(--series-5)',
}

/** Beyond, colours are not worth their price. */
const LONGEST = 250_000

export const isColoured = (code: string): boolean => code.length <= LONGEST

interface CodeLinesProps {
  code: string
  /** Of many lines those that are drawn: the first, and the one after the last. */
  from: number
  to: number
}

/** The lines of a code, each with a line break. */
export function CodeLines({ code, from, to }: CodeLinesProps) {
  const lines = useMemo(() => highlight(code), [code])
  return lines.slice(from, to).map((pieces, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
    <Line key={from + index} pieces={pieces} />
  ))
}

const Line = memo(
  ({ pieces }: { pieces: readonly Piece[] }) => (
    <>
      <Pieces pieces={pieces} />
      {'\n'}
    </>
  ),
  (before, after) =>
    before.pieces.length === after.pieces.length &&
    before.pieces.every(({ text, look }, index) => {
      const other = after.pieces[index]
      return text === other?.text && look === other.look
    }),
)

function Pieces({ pieces }: { pieces: readonly Piece[] }): ReactNode {
  return pieces.map(({ text, look }, index) => {
    const className = looks[look]
    if (className === null) return text
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
      <span key={index} className={className}>
        {text}
      </span>
    )
  })
}

/** A line of a code frame: what points at it, its number, and the code. */
const FRAME_LINE = /^(?<gutter>(?<mark>>?)\s*\d+ \| ?)(?<code>.*)$/

/** Some lines around a place, as test runners print them. Lines of other forms, such as what points, stay as they are. */
export function CodeFrame({ text }: { text: string }) {
  const lines = useMemo(() => {
    const parts = text.split('\n').map((line) => {
      const { gutter = '', mark = '', code } = FRAME_LINE.exec(line)?.groups ?? {}
      return { line, gutter, isMarked: mark !== '', code }
    })
    const coloured = highlight(parts.flatMap(({ code }) => code ?? []).join('\n'))
    let next = 0
    return parts.map(({ line, gutter, isMarked, code }) => ({
      gutter,
      isMarked,
      pieces: code === undefined ? [{ text: line, look: 'plain' } as const] : (coloured[next++] ?? []),
    }))
  }, [text])
  return lines.map(({ gutter, isMarked, pieces }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
    <span key={index} className={isMarked ? 'font-semibold' : undefined}>
      <span className={isMarked ? 'text-bad' : 'text-faint'}>{gutter}</span>
      <Pieces pieces={pieces} />
      {'\n'}
    </span>
  ))
}
