/** The edge where errors become answers. */
import { STATUS_CODES } from 'node:http'
import type { Problem } from '@vedette/schema'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorCode } from '../app-error.ts'
import { isConflict } from '../db/conflict.ts'
import { isDatabaseAway, isTakingTooLong } from '../db/database-away.ts'
import type { Log } from '../log.ts'

const STATUS = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'still-running': 408,
  conflict: 409,
  gone: 410,
  'too-large': 413,
  mismatch: 422,
  'too-many': 429,
  stopping: 503,
  'no-runner': 503,
  'no-room': 507,
} as const satisfies Record<ErrorCode, number>

/** Where clients know other words than Node's. */
const REASONS: { readonly [status: number]: string } = { 408: 'Request Time-out', 413: 'Request Entity Too Large' }

export function problem(statusCode: number, message: string): Problem {
  const error = REASONS[statusCode] ?? STATUS_CODES[statusCode] ?? 'Error'
  return { statusCode, error, message, ...(statusCode === 401 || statusCode === 429 ? { attributes: {} } : {}) }
}

export function answerError(log: Log) {
  return (error: FastifyError | AppError, request: FastifyRequest, reply: FastifyReply) => {
    if (error instanceof AppError) {
      const body = problem(STATUS[error.code], error.message)
      if (error.code === 'still-running') reply.header('retry-after', '1')
      if (error.code === 'stopping') reply.header('retry-after', '2')
      if (error.code === 'no-runner') reply.header('retry-after', '5')
      if (error.code === 'too-many' && !reply.hasHeader('retry-after')) reply.header('retry-after', '5')
      return reply.code(body.statusCode).send(error.validation ? { ...body, validation: error.validation } : body)
    }
    const status = error.statusCode ?? 500
    // What the framework refuses by itself: broken JSON, a body that is too large, a wrong media type.
    // Closed at once, the connection would break while the client is still sending, and it would never see the answer.
    if (status === 413) reply.removeHeader('connection')
    if (status < 500) return reply.code(status).send(refusal(status, error))
    if (isDatabaseAway(error)) {
      log.warn('The database is away', { requestId: request.id, cause: error.message })
      return reply
        .code(503)
        .header('retry-after', '2')
        .send({ ...problem(503, 'The database is away for a moment.'), requestId: request.id })
    }
    if (isTakingTooLong(error)) {
      log.error('A statement took too long', { requestId: request.id, route: request.routeOptions.url, error })
      return reply
        .code(503)
        .header('retry-after', '5')
        .send({ ...problem(503, 'The database is busy.'), requestId: request.id })
    }
    if (isConflict(error)) {
      log.debug('A change met another one', { requestId: request.id, route: request.routeOptions.url, error })
      return reply
        .code(409)
        .send(problem(409, 'Something else was changed at the same moment. Look again, then repeat.'))
    }
    log.error('A request failed', { requestId: request.id, route: request.routeOptions.url, error })
    return reply.code(500).send({ ...problem(500, 'An internal server error occurred'), requestId: request.id })
  }
}

function refusal(status: number, error: FastifyError): Problem {
  const body = problem(status, error.message)
  return status === 400 ? { ...body, validation: { source: 'payload', keys: [] } } : body
}
