/** The built web application: its files, and its page for every address that it routes itself. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

export const WEB_FOLDER = fileURLToPath(new URL('../../../web/dist', import.meta.url))

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const NOT_BUILT =
  '<!doctype html><title>Vedette</title><p>The web application has not been built. The API is at <a href="/docs">/docs</a>.</p>'

/** Returns how to answer an address that nothing else serves. */
export async function serveWebFiles(
  app: FastifyInstance,
  folder = WEB_FOLDER,
): Promise<(reply: FastifyReply) => FastifyReply> {
  const index = join(folder, 'index.html')
  // Read once: the page must name the files that are listed now, whatever is built meanwhile.
  const page = existsSync(index) ? readFileSync(index) : NOT_BUILT
  if (page !== NOT_BUILT) {
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      wildcard: false,
      setHeaders(reply, path) {
        // Their names carry a hash of their content.
        if (path.includes(`${join(folder, 'assets')}`))
          reply.header('cache-control', 'public, max-age=31536000, immutable')
      },
    })
  }
  return (reply) =>
    reply
      .code(200)
      .header('content-security-policy', POLICY)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page)
}
