/** Answers carry a tag of their content; a client that has it already is told so instead of being sent it again. */
import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/** What machines ask for many times a second; nobody keeps it. */
const UNTAGGED = /^\/(runner|health)\b/

export function answerConditionally(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return payload
    if (reply.statusCode !== 200 || UNTAGGED.test(request.url) || reply.hasHeader('etag')) return payload
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
    const tag = tagOf(payload)
    reply.header('etag', tag)
    if (!isKnown(tag, request.headers['if-none-match'])) return payload
    reply.code(304)
    reply.removeHeader('content-type')
    return ''
  })
}

/** Weak: the same content may be sent in several codings. */
function tagOf(content: string | Buffer): string {
  return `W/"${hash('sha256', content, 'base64url').slice(0, 22)}"`
}

function isKnown(tag: string, header: string | undefined): boolean {
  if (header === undefined) return false
  const opaque = (text: string) => text.trim().replace(/^W\//, '')
  return header.trim() === '*' || header.split(',').some((candidate) => opaque(candidate) === opaque(tag))
}
