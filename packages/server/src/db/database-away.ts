/** Tells a database that is away for a moment from a query that is wrong. */

const SOCKET_CODES = ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ENOTCONN', 'ETIMEDOUT']
const DRIVER_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** Classes 08 and 57P of PostgreSQL, too many clients, and what sockets say. Source: PostgreSQL manual, appendix A. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return /^(08|57P|53300)/.test(code) || SOCKET_CODES.includes(code) || DRIVER_MESSAGES.test(error.message)
}
