/** What a browser would send. */
import assert from 'node:assert/strict'
import { renewSetUpToken } from '../../auth/first-start.ts'
import type { TestServer } from '../../testing/test-server.ts'

export const alice = { name: 'alice', password: 'correct horse battery' }

export interface Visit {
  status: number
  body: unknown
  cookie: string
  /** The whole header with which the cookie was set. */
  setCookie: string
}

/** As a browser does it: without a key, with the cookie it was given, from a page of ours unless it says otherwise. */
export async function visit(
  server: TestServer,
  method: string,
  path: string,
  {
    cookie = '',
    body,
    headers = { origin: server.url },
  }: { cookie?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Visit> {
  const answer = await server.send(method, path, {
    key: null,
    headers: { ...headers, ...(cookie === '' ? {} : { cookie }) },
    ...(body === undefined ? {} : { body }),
  })
  const setCookie = answer.headers.get('set-cookie') ?? ''
  return { status: answer.status, body: answer.body, cookie: setCookie.split(';')[0] ?? '', setCookie }
}

/** Makes the first person, and answers their cookie. */
export async function setUp(server: TestServer): Promise<string> {
  const token = await renewSetUpToken(server.db)
  const { status, cookie } = await visit(server, 'POST', '/web/set-up', { body: { token, ...alice } })
  assert.equal(status, 201)
  return cookie
}

/** A field of whatever was answered. */
export function field(body: unknown, name: string): unknown {
  return Reflect.get(Object(body), name)
}
