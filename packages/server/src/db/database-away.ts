/** Tells a database that is away or busy for a moment from a query that is wrong. */

const SOCKET_CODES = ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ENOTCONN', 'ETIMEDOUT']
const DRIVER_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** Classes 08 and 57P of PostgreSQL, too many clients, and what sockets say. Source: PostgreSQL manual, appendix A. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return /^(08|57P|53300)/.test(code) || SOCKET_CODES.includes(code) || DRIVER_MESSAGES.test(error.message)
}

const QUERY_CANCELED = '57014'

/** A statement was not done in its time: it waited for a lock, the engine is overloaded, or it is a bad one. */
export function isTakingTooLong(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === QUERY_CANCELED
}
