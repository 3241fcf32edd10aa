/** What the Tab and Enter keys do to a text. */

const STEP = '  '

export interface Replacement {
  from: number
  to: number
  text: string
  /** What is selected afterwards. */
  select: [from: number, to: number]
}

/** Without a selection a step at the caret; else one before each line that the selection touches. */
export function indented(text: string, from: number, to: number): Replacement {
  if (from === to) return { from, to, text: STEP, select: [from + STEP.length, from + STEP.length] }
  return onLines(text, from, to, (line) => STEP + line)
}

export const outdented = (text: string, from: number, to: number): Replacement =>
  onLines(text, from, to, (line) => line.replace(/^(?: {1,2}|\t)/, ''))

/** A line break with the indentation of the line that is left. */
export function lineBreakAt(text: string, caret: number): string {
  const [indentation = ''] = /^[ \t]*/.exec(text.slice(startOfLine(text, caret), caret)) ?? []
  return `\n${indentation}`
}

function onLines(text: string, from: number, to: number, change: (line: string) => string): Replacement {
  const start = startOfLine(text, from)
  const next = text.indexOf('\n', Math.max(from, to - 1))
  const end = next < 0 ? text.length : next
  const old = text.slice(start, end).split('\n')
  const lines = old.map(change)
  const grown = lines.join('\n').length - (end - start)
  const first = (lines[0]?.length ?? 0) - (old[0]?.length ?? 0)
  const begin = Math.max(start, from + first)
  return { from: start, to: end, text: lines.join('\n'), select: [begin, Math.max(begin, to + grown)] }
}

const startOfLine = (text: string, at: number): number => text.slice(0, at).lastIndexOf('\n') + 1
