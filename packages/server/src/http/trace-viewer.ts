/**
 * Playwright's own viewer of traces, below `/trace/`. A trace is made by a script and shows pages of others: whatever is in it
 * is shown on our origin and must not act there. The viewer's service worker serves pages of a trace without their scripts, by
 * a policy with a nonce; what else it makes out of a trace gets a policy here that lets nothing run. It reads traces from
 * this server alone.
 */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const WORKER = 'sw.bundle.js'

const policy = (inlineScripts: readonly string[]) =>
  [
    "default-src 'none'",
    `script-src 'self' ${inlineScripts.join(' ')}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    // Its empty page is one of data.
    "frame-src 'self' data:",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** What has an address was fetched from this server; the rest was made out of a trace. */
const GUARD = `{
  const respondWith = FetchEvent.prototype.respondWith
  const guarded = (response) => {
    if (response.url !== '' || response.type === 'error' || response.headers.has('content-security-policy')) return response
    const headers = new Headers(response.headers)
    headers.set('content-security-policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:")
    headers.set('x-content-type-options', 'nosniff')
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
  }
  FetchEvent.prototype.respondWith = function (answer) {
    return respondWith.call(this, Promise.resolve(answer).then(guarded))
  }
}
`

export async function serveTraceViewer(app: FastifyInstance): Promise<void> {
  const home = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'))
  const folder = join(home, 'lib', 'vite', 'traceViewer')
  const allowed = policy(hashesOfScripts(readFileSync(join(folder, 'index.html'), 'utf8')))
  const worker = GUARD + readFileSync(join(folder, WORKER), 'utf8')
  app.get(`/trace/${WORKER}`, { config: { takesBody: false } }, async (_request, reply) =>
    reply
      .header('content-security-policy', allowed)
      .header('cache-control', 'no-cache')
      .type('application/javascript; charset=utf-8')
      .send(worker),
  )
  await app.register(fastifyStatic, {
    root: folder,
    prefix: '/trace/',
    decorateReply: false,
    wildcard: false,
    globIgnore: [WORKER],
    cacheControl: false,
    setHeaders(reply) {
      reply.header('content-security-policy', allowed)
      reply.header('cache-control', 'no-cache')
    },
  })
}

/** Those of its page that stand in it. */
function hashesOfScripts(page: string): string[] {
  return [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${hash('sha256', script, 'base64')}'`,
  )
}
