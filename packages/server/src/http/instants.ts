/** Instants in queries: UNIX seconds, milliseconds or ISO 8601. */
import { AppError, invalidField } from '../app-error.ts'

/** Milliseconds since 1970, or null when the parameter is absent. @throws AppError `invalid`. */
export function readInstant(name: string, text: string | undefined): number | null {
  if (text === undefined) return null
  const number = Number(text)
  // Thirteen digits are milliseconds: seconds would be in the year 33658.
  const ms =
    text.trim() === ''
      ? Number.NaN
      : Number.isFinite(number)
        ? Math.abs(number) >= 1e12
          ? number
          : number * 1000
        : Date.parse(text)
  if (!Number.isFinite(ms) || Math.abs(ms) > 8.64e15) {
    throw new AppError('invalid', `"${name}" must be a UNIX timestamp`, { source: 'query', keys: [name] })
  }
  return ms
}

export interface TimeWindow {
  fromMs: number
  toMs: number
}

/** A window with a widest extent: what is missing is filled in from the other end. @throws AppError `invalid`. */
export function readWindow(
  query: { from?: string | undefined; to?: string | undefined },
  { defaultMs, maxMs }: { defaultMs: number; maxMs: number },
  nowMs: number,
  [fromName, toName]: readonly [string, string] = ['from', 'to'],
): TimeWindow {
  const from = readInstant(fromName, query.from)
  const to = readInstant(toName, query.to)
  const toMs = to ?? (from === null ? nowMs : from + defaultMs)
  const fromMs = from ?? toMs - defaultMs
  const wrong = (reason: string) =>
    new AppError('invalid', `"${fromName}" ${reason}`, { source: 'query', keys: [fromName, toName] })
  if (fromMs >= toMs) throw wrong(`must be before "${toName}"`)
  if (toMs - fromMs > maxMs) throw wrong(`must be at most ${maxMs / 3_600_000} hours before "${toName}"`)
  return { fromMs, toMs }
}

/** A timestamp in a body. The schema lets through seconds that no clock of ours knows. @throws AppError `invalid`. */
export function readTimestamp(field: string, text: string): Date {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) throw invalidField(field, 'must be a valid date-time')
  return at
}
