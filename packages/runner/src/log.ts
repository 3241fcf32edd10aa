/** Lines for whoever operates this process. */
export const LOG_LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]
export type Log = (level: LogLevel, message: string) => void

export function logTo(write: (line: string) => void, lowest: LogLevel): Log {
  return (level, message) => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(lowest)) return
    write(`${new Date().toISOString()} ${level} runner: ${message}\n`)
  }
}
