/** Texts as the events have them: without colours, and no longer than they may be. */
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { ScriptFault } from '../event.ts'

export const LONG = 16_384

export function clip(text: string, length: number): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 2)
  // Not in the middle of a character.
  const end = last >= 0xd800 && last < 0xdc00 ? length - 2 : length - 1
  return `${text.slice(0, end)}…`
}

export function plain(text: unknown, length: number): string {
  return clip(stripVTControlCharacters(String(text ?? '')), length)
}

interface Place {
  file: string
  line: number
  column: number
}

/** @param root of which files are named relative */
export function placeOf(place: Place | undefined, root: string): Place | null {
  if (!place) return null
  const path = relative(root, place.file)
  const isBelow = path !== '' && !path.startsWith('..')
  const whole = (value: unknown) => (Number.isSafeInteger(value) ? Number(value) : 0)
  return { file: clip(isBelow ? path : place.file, 1000), line: whole(place.line), column: whole(place.column) }
}

/** An error as the reporters of Playwright are told of it. */
export interface ReportedError {
  message?: string
  stack?: string
  value?: string
  snippet?: string
  location?: Place
}

/** Who required a missing module: files of the runtime say nothing to a user. */
const withoutOurs = (text: string) => text.replaceAll(/\n- \S*[\\/]node_modules[\\/][^\n]*/g, '')

export function faultOf(error: ReportedError, root: string): ScriptFault {
  return {
    message: withoutOurs(plain(error.message ?? error.value ?? 'it failed without saying why', LONG)),
    stack: error.stack === undefined ? null : withoutOurs(plain(error.stack, LONG)),
    snippet: error.snippet === undefined ? null : plain(error.snippet, LONG),
    location: placeOf(error.location, root),
  }
}

/** Whatever was thrown. */
export function faultOfThrown(thrown: unknown): ScriptFault {
  try {
    if (thrown instanceof Error) {
      const { name, message, stack } = thrown
      return {
        message: plain(`${name}: ${message}`, LONG),
        stack: stack === undefined ? null : plain(stack, LONG),
        snippet: null,
        location: null,
      }
    }
    return { message: plain(`it threw ${String(thrown)}`, LONG), stack: null, snippet: null, location: null }
  } catch {
    return { message: 'it threw something that cannot be shown', stack: null, snippet: null, location: null }
  }
}
