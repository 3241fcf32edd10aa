/** Instants in queries: UNIX seconds, milliseconds or ISO 8601. */
import { AppError, type InvalidField, invalidField } from '../app-error.ts'

/** The end of the year 9999: what comes after is no timestamp of anybody's. */
const LATEST_MS = 253_402_300_799_999

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
  if (!(ms >= 0 && ms <= LATEST_MS)) {
    throw new AppError('invalid', `"${name}" must be a UNIX timestamp`, { source: 'query', keys: [name] })
  }
  return ms
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d))?$/i

/** An ISO 8601 timestamp with its offset from UTC, or a plain date: midnight UTC. @throws AppError `invalid`. */
export function readDate(field: string, text: string, source: InvalidField['source']): number {
  const [, year = '', month = '', day = ''] = DATE.exec(text) ?? []
  const ms = year === '' ? Number.NaN : Date.parse(text)
  // The engine carries the 31st of February over into March.
  const isDay = Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  if (Number.isNaN(ms) || !isDay || Number(year) < 1970) {
    const reason = 'must be an ISO 8601 date or timestamp such as 2026-01-10T22:00:00.000Z'
    throw new AppError('invalid', `"${field}" ${reason}`, { source, keys: [field] })
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
