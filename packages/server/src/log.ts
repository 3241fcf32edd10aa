/** The one logger: a line of JSON an event, on standard error. Secrets are cut out by name and by shape. */
import type { LogLevel } from './config.ts'
import { LOG_LEVELS } from './config.ts'

export type LogFields = Readonly<Record<string, unknown>>

export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

const SECRET_NAMES = /authorization|cookie|password|secret|token|api-?key|raw-?key|(database|smtp)_?url/i
const SECRET_SHAPES: readonly RegExp[] = [
  /\b(bearer|basic)\s+[\w+/=.~-]+/gi,
  /\b(cu|sk|pl|da|vs|su|ss)_[0-9a-f]{8,}/g,
  /:\/\/[^/\s:@]+:[^/\s@]+@/g,
  /-----BEGIN [A-Z ]+-----[^-]*-----END [A-Z ]+-----/g,
  /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g,
]

/** Replaces whatever looks like a secret in a text. */
export function redact(text: string): string {
  return SECRET_SHAPES.reduce((cut, shape) => cut.replace(shape, '[secret]'), text)
}

export function createLog(level: LogLevel, write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  const lowest = LOG_LEVELS.indexOf(level)
  const at = (name: LogLevel) => (message: string, fields?: LogFields) => {
    if (LOG_LEVELS.indexOf(name) < lowest) return
    const entry = { time: new Date().toISOString(), level: name, message }
    write(`${redact(asJson({ ...entry, ...fields }) ?? JSON.stringify(entry))}\n`)
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** Null for what leads in a circle: an event that is told in part is better than one that breaks whoever tells it. */
function asJson(entry: LogFields): string | null {
  try {
    return JSON.stringify(entry, plain)
  } catch {
    return null
  }
}

function plain(name: string, value: unknown): unknown {
  if (SECRET_NAMES.test(name) && value !== undefined) return '[secret]'
  if (value instanceof Error) {
    const cause = value.cause === undefined ? {} : { cause: value.cause }
    return { name: value.name, message: value.message, stack: value.stack, ...cause }
  }
  return typeof value === 'bigint' ? value.toString() : value
}
