/** Instants in templates: relative phrases and formats. Everything is in UTC. */

const DAY_MS = 86_400_000
const UNIT_MS = new Map([
  ['second', 1000],
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', DAY_MS],
  ['week', 7 * DAY_MS],
])
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const TEXT_LIMIT = 256
const ISO = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?)?(Z|[+-]\d{2}:?\d{2})?$/i
const PHRASE = /^(in |\+ ?|- ?)?(an?|\d{1,9}(?:\.\d{1,3})?|[a-z]{3,5}) ([a-z]{3,8})( ago| from now| hence)?$/
const NEIGHBOUR = /^(last|previous|next) ([a-z]{3,9})$/

/** A date as ISO 8601 or as a UNIX time, or a phrase such as `2 days ago`, `next week`, `tomorrow`. */
export function instantOf(text: string, now: Date): Date | null {
  const phrase = text.slice(0, TEXT_LIMIT).trim().toLowerCase()
  if (phrase === 'now' || phrase === 'today') return now
  if (phrase === 'yesterday') return shift(now, -1, 'day')
  if (phrase === 'tomorrow') return shift(now, 1, 'day')
  if (/^\d{13}$/.test(phrase)) return valid(new Date(Number(phrase)))
  if (/^\d{9,10}$/.test(phrase)) return valid(new Date(Number(phrase) * 1000))
  const iso = ISO.exec(phrase)
  if (iso)
    return valid(new Date(iso[1] === undefined || iso[4] !== undefined ? phrase : `${phrase.replace(' ', 't')}z`))
  const neighbour = NEIGHBOUR.exec(phrase)
  if (neighbour) return besides(now, neighbour[1] === 'next' ? 1 : -1, neighbour[2] ?? '')
  const relative = PHRASE.exec(phrase)
  if (!relative) return null
  const [, before = '', amount = '', unit = '', after = ''] = relative
  const number = /^an?$/.test(amount) ? 1 : /^\d/.test(amount) ? Number(amount) : NUMBERS.indexOf(amount)
  if (number < 0) return null
  return shift(now, before.startsWith('-') || after === ' ago' ? -number : number, unit)
}

function besides(now: Date, direction: 1 | -1, what: string): Date | null {
  const weekday = DAYS.findIndex((day) => day.toLowerCase() === what)
  if (weekday < 0) return shift(now, direction, what)
  const days = (((weekday - now.getUTCDay()) * direction + 6) % 7) + 1
  return shift(now, days * direction, 'day')
}

function shift(from: Date, amount: number, name: string): Date | null {
  const unit = name.replace(/s$/, '').replace(/^sec$/, 'second').replace(/^min$/, 'minute')
  const ms = UNIT_MS.get(unit)
  if (ms !== undefined) return valid(new Date(from.getTime() + amount * ms))
  if (unit !== 'month' && unit !== 'year') return null
  const months = Math.round(unit === 'year' ? amount * 12 : amount)
  const first = new Date(from)
  first.setUTCDate(1)
  first.setUTCMonth(from.getUTCMonth() + months)
  if (valid(first) === null) return null
  // The 31st of a month that has 30 days is its 30th.
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  return valid(first)
}

function valid(date: Date): Date | null {
  return Number.isNaN(date.getTime()) ? null : date
}

const TOKENS =
  /\[[^\]]*\]|YYYY|YY|Q|MMMM|MMM|MM|Mo|M|DDDD|DDD|DD|Do|D|dddd|ddd|dd|d|E|WW|W|HH|H|hh|h|kk|k|mm|m|ss|s|SSS|SS|S|A|a|ZZ|Z|X|x|LTS|LT|LLLL|LLL|LL|L/g

const pad = (number: number, width = 2) => String(number).padStart(width, '0')
const ordinal = (number: number) => {
  const teens = number % 100 >= 11 && number % 100 <= 13
  return `${number}${teens ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')}`
}
const hour12 = (date: Date) => date.getUTCHours() % 12 || 12
const dayOfYear = (date: Date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS) + 1

function isoWeek(date: Date): number {
  const thursday = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()))
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7))
  return Math.ceil(dayOfYear(thursday) / 7)
}

const written: Readonly<Record<string, (date: Date) => string>> = {
  YYYY: (d) => pad(d.getUTCFullYear(), 4),
  YY: (d) => pad(d.getUTCFullYear() % 100),
  Q: (d) => String(Math.floor(d.getUTCMonth() / 3) + 1),
  MMMM: (d) => MONTHS[d.getUTCMonth()] ?? '',
  MMM: (d) => (MONTHS[d.getUTCMonth()] ?? '').slice(0, 3),
  MM: (d) => pad(d.getUTCMonth() + 1),
  Mo: (d) => ordinal(d.getUTCMonth() + 1),
  M: (d) => String(d.getUTCMonth() + 1),
  DDDD: (d) => pad(dayOfYear(d), 3),
  DDD: (d) => String(dayOfYear(d)),
  DD: (d) => pad(d.getUTCDate()),
  Do: (d) => ordinal(d.getUTCDate()),
  D: (d) => String(d.getUTCDate()),
  dddd: (d) => DAYS[d.getUTCDay()] ?? '',
  ddd: (d) => (DAYS[d.getUTCDay()] ?? '').slice(0, 3),
  dd: (d) => (DAYS[d.getUTCDay()] ?? '').slice(0, 2),
  d: (d) => String(d.getUTCDay()),
  E: (d) => String(d.getUTCDay() || 7),
  WW: (d) => pad(isoWeek(d)),
  W: (d) => String(isoWeek(d)),
  HH: (d) => pad(d.getUTCHours()),
  H: (d) => String(d.getUTCHours()),
  hh: (d) => pad(hour12(d)),
  h: (d) => String(hour12(d)),
  kk: (d) => pad(d.getUTCHours() || 24),
  k: (d) => String(d.getUTCHours() || 24),
  mm: (d) => pad(d.getUTCMinutes()),
  m: (d) => String(d.getUTCMinutes()),
  ss: (d) => pad(d.getUTCSeconds()),
  s: (d) => String(d.getUTCSeconds()),
  SSS: (d) => pad(d.getUTCMilliseconds(), 3),
  SS: (d) => pad(Math.floor(d.getUTCMilliseconds() / 10)),
  S: (d) => String(Math.floor(d.getUTCMilliseconds() / 100)),
  A: (d) => (d.getUTCHours() < 12 ? 'AM' : 'PM'),
  a: (d) => (d.getUTCHours() < 12 ? 'am' : 'pm'),
  ZZ: () => '+0000',
  Z: () => '+00:00',
  X: (d) => String(Math.floor(d.getTime() / 1000)),
  x: (d) => String(d.getTime()),
  LTS: (d) => formatInstant(d, 'h:mm:ss A'),
  LT: (d) => formatInstant(d, 'h:mm A'),
  LLLL: (d) => formatInstant(d, 'dddd, MMMM D, YYYY h:mm A'),
  LLL: (d) => formatInstant(d, 'MMMM D, YYYY h:mm A'),
  LL: (d) => formatInstant(d, 'MMMM D, YYYY'),
  L: (d) => formatInstant(d, 'MM/DD/YYYY'),
}

/** Writes an instant by a format such as `YYYY-MM-DD[T]HH:mm:ss`; text in brackets stands for itself. */
export function formatInstant(instant: Date, format: string): string {
  return format
    .slice(0, TEXT_LIMIT)
    .replace(TOKENS, (token) => (token.startsWith('[') ? token.slice(1, -1) : (written[token]?.(instant) ?? token)))
}
