/** Tells the web application at once which checks have news: server-sent events. */
import { EVENTS_PATH } from '@vedette/schema'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../app-error.ts'
import type { Db } from '../../db/database.ts'
import { type Access, refuseOtherOrigins } from '../serve.ts'
import { changedChecks } from './overview-store.ts'

const LOOK_EVERY_MS = 1000
const SIGN_OF_LIFE_MS = 15_000

/** `GET /web/events`: `hello` once, then `check` with `{"checkId"}` for every check with a new result. */
export function serveEvents(app: FastifyInstance, access: Access, db: Db): void {
  app.get(EVENTS_PATH, async (request, reply) => {
    const caller = await access.caller(request)
    if (caller.session === null) throw new AppError('unauthorized', 'Sign in first.')
    // Over plain HTTP browsers say nothing of the site; the cookie does not come along from another one then either.
    if (request.headers['sec-fetch-site'] !== undefined) refuseOtherOrigins(request)
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    })
    raw.write('event: hello\ndata: {}\n\n')
    let after = new Date()
    let lastWrite = performance.now()
    let looking = false
    const look = async () => {
      // A session that has ended, a role that was taken away: the stream ends with it.
      await access.caller(request)
      const { ids, latest } = await changedChecks(db, caller.accountId, after)
      after = latest
      if (ids.length > 0 || performance.now() - lastWrite > SIGN_OF_LIFE_MS) {
        const events = [...new Set(ids)].map((checkId) => `event: check\ndata: ${JSON.stringify({ checkId })}\n\n`)
        raw.write(events.length > 0 ? events.join('') : ': still here\n\n')
        lastWrite = performance.now()
      }
    }
    const timer = setInterval(() => {
      if (looking) return
      looking = true
      look()
        .catch(() => raw.end())
        .finally(() => {
          looking = false
        })
    }, LOOK_EVERY_MS)
    raw.on('close', () => clearInterval(timer))
  })
}
