/**
 * Cron expressions of five fields in a time zone: minute, hour, day of the month, month, day of the week. They mean what
 * cron means by them, also when clocks change: a time that is skipped comes as much later as the clock skips; of a time
 * that is shown twice the first one counts, or both where the hour is a `*`.
 */
import { boundedCache } from './bounded-cache.ts'
import { instantOf, isTimezone, offsetAt } from './zoned-time.ts'

export interface CronSchedule {
  cron: string
  /** IANA name. */
  timezone: string
}

interface Field {
  name: string
  min: number
  max: number
  names?: readonly string[]
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const FIELDS = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of the month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  { name: 'day of the week', min: 0, max: 7, names: DAYS },
] as const satisfies readonly Field[]
const NICKNAMES: ReadonlyMap<string, string> = new Map([
  ['@hourly', '0 * * * *'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@weekly', '0 0 * * 0'],
  ['@monthly', '0 0 1 * *'],
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
])

interface Cron {
  minutes: readonly number[]
  hours: readonly number[]
  days: ReadonlySet<number>
  months: ReadonlySet<number>
  weekdays: ReadonlySet<number>
  everyHour: boolean
  everyDay: boolean
  everyWeekday: boolean
}

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The 29th of February may be eight years away. */
const FURTHEST_DAYS = 8 * 366 + 2

/** What is wrong with a schedule, and with which of its fields; null: nothing. */
export function problemOfSchedule({
  cron,
  timezone,
}: CronSchedule): { field: keyof CronSchedule; reason: string } | null {
  if (!isTimezone(timezone)) {
    return { field: 'timezone', reason: 'must be the name of a time zone, such as Europe/Berlin' }
  }
  const read = readCron(cron)
  if (typeof read === 'string') return { field: 'cron', reason: read }
  if (nextOccurrence({ cron, timezone }, Date.UTC(2024, 0, 1)) === null) {
    return { field: 'cron', reason: 'names a day that no month has' }
  }
  return null
}

/** The first time of the schedule after an instant; null: there is none, or the expression cannot be read. */
export function nextOccurrence({ cron, timezone }: CronSchedule, afterMs: number): number | null {
  const read = parsed(cron)
  if (typeof read === 'string') return null
  const today = Math.floor((afterMs + offsetAt(timezone, afterMs)) / DAY_MS) * DAY_MS
  // Yesterday's times may come today where the clock has been put on over midnight.
  for (let ahead = -1; ahead <= FURTHEST_DAYS; ahead += 1) {
    const day = today + ahead * DAY_MS
    if (!isDayOf(read, day)) continue
    const next = firstOfDay(read, timezone, day, afterMs)
    if (next !== null) return next
  }
  return null
}

function firstOfDay(cron: Cron, zone: string, day: number, afterMs: number): number | null {
  const before = offsetAt(zone, day - DAY_MS)
  const after = offsetAt(zone, day + 2 * DAY_MS)
  const isSteady = before === after
  let first: number | null = null
  for (const hour of cron.hours) {
    for (const minute of cron.minutes) {
      const wall = day + hour * HOUR_MS + minute * MINUTE_MS
      if (isSteady) {
        if (wall - before > afterMs) return wall - before
        continue
      }
      for (const instant of instantsOf(wall, zone, cron.everyHour ? [before, after] : [])) {
        if (instant > afterMs && (first === null || instant < first)) first = instant
      }
    }
  }
  return first
}

/** The first instant at which the clock shows a time, and with other offsets the second one too. */
function instantsOf(wall: number, zone: string, offsets: readonly number[]): number[] {
  const more = offsets.map((offset) => wall - offset).filter((instant) => instant + offsetAt(zone, instant) === wall)
  return [instantOf(wall, zone), ...more]
}

/** Where both days are restricted either will do, as everywhere in cron. */
function isDayOf(cron: Cron, day: number): boolean {
  const date = new Date(day)
  if (!cron.months.has(date.getUTCMonth() + 1)) return false
  const isDay = cron.days.has(date.getUTCDate())
  const isWeekday = cron.weekdays.has(date.getUTCDay())
  return cron.everyDay || cron.everyWeekday ? isDay && isWeekday : isDay || isWeekday
}

const parsed = boundedCache(200, readCron)

/** What is wrong with it, in words, where it cannot be read. */
function readCron(text: string): Cron | string {
  const trimmed = text.trim().toLowerCase()
  const fields = (NICKNAMES.get(trimmed) ?? trimmed).split(/\s+/)
  if (fields.length !== FIELDS.length) {
    return 'must have five fields: minute, hour, day of the month, month, day of the week'
  }
  const sets: Set<number>[] = []
  for (const [place, field] of FIELDS.entries()) {
    const values = readField(fields[place] ?? '', field)
    if (values === null) return `cannot be read: "${fields[place] ?? ''}" is no ${field.name}`
    sets.push(values)
  }
  const [minutes = new Set(), hours = new Set(), days = new Set(), months = new Set(), weekdays = new Set()] = sets
  // Sunday is 0 and 7.
  if (weekdays.has(7)) weekdays.add(0)
  const inOrder = (values: Set<number>) => [...values].toSorted((a, b) => a - b)
  return {
    minutes: inOrder(minutes),
    hours: inOrder(hours),
    days,
    months,
    weekdays,
    everyHour: fields[1]?.startsWith('*') === true,
    everyDay: fields[2]?.startsWith('*') === true,
    everyWeekday: fields[4]?.startsWith('*') === true,
  }
}

function readField(text: string, field: Field): Set<number> | null {
  const values = new Set<number>()
  for (const part of text.split(',')) {
    const [, range = '', step] = /^([^/]+)(?:\/(\d{1,2}))?$/.exec(part) ?? []
    const by = step === undefined ? 1 : Number(step)
    const [from, to] = boundsOf(range, step !== undefined, field)
    if (from === null || to === null || from > to || by < 1) return null
    for (let value = from; value <= to; value += by) values.add(value)
  }
  return values
}

function boundsOf(range: string, hasStep: boolean, field: Field): [number | null, number | null] {
  if (range === '*') return [field.min, field.names === DAYS ? 6 : field.max]
  const [first = '', last, ...rest] = range.split('-')
  if (rest.length > 0) return [null, null]
  const from = readValue(first, field)
  if (last !== undefined) return [from, readValue(last, field)]
  return [from, hasStep ? field.max : from]
}

function readValue(text: string, { min, max, names }: Field): number | null {
  const named = names?.indexOf(text) ?? -1
  if (named >= 0) return named + min
  if (!/^\d{1,2}$/.test(text)) return null
  const value = Number(text)
  return value >= min && value <= max ? value : null
}
