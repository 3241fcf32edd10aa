/** What holds for all operations, tried on each from the description of what it takes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Route, routes } from '@vedette/schema'
import { sql } from 'kysely'
import type { TSchema } from 'typebox'
import { renewSetUpToken } from '../auth/first-start.ts'
import { signInRunner } from '../testing/fake-runner.ts'
import { mistakesIn } from '../testing/mistakes.ts'
import { type Answer, startTestServer, type TestServer } from '../testing/test-server.ts'
import { exampleOf } from './describe/example.ts'
import { asJson, asList, asTexts } from './describe/json.ts'

const table = Object.entries<Route>(routes)

/** Calls as whoever may call, with parameters that are right unless told otherwise. */
interface Call {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}

test('what is served is what the table of routes says, and what is described', async (t) => {
  const server = await startTestServer(t)
  const { body } = await server.send('GET', '/openapi.json', { key: null })
  const described = Object.entries(asJson(asJson(body).paths)).flatMap(([path, methods]) =>
    Object.keys(asJson(methods)).map((method) => `${method.toUpperCase()} ${path}`),
  )
  assert.deepEqual(described.toSorted(), table.map(([, { method, path }]) => `${method} ${path}`).toSorted())
})

test('every field of every body refuses a value of another type, and says which field it was', async (t) => {
  const { call, server } = await aCaller(t)
  const before = await contentsOf(server)
  for (const [name, route] of table) {
    await manyAtOnce(mistakesIn(route.body), async ({ path, value }) => {
      const answer = await call(route, { body: value })
      assert.deepEqual(refusalIn(answer), [400, 'payload', [path]], `${name}: ${path} in ${JSON.stringify(value)}`)
    })
  }
  assert.deepEqual(await contentsOf(server), before)
})

test('every parameter of every query refuses what it cannot be', async (t) => {
  const { call } = await aCaller(t)
  for (const [name, route] of table) {
    for (const [parameter, schema] of Object.entries<TSchema>(route.query?.properties ?? {})) {
      const wrong = wrongTextFor(schema)
      if (wrong === undefined) continue
      const [status, source, keys] = refusalIn(await call(route, { query: { [parameter]: wrong } }))
      assert.deepEqual([status, source], [400, 'query'], `${name}: ${parameter}=${wrong}`)
      assert.equal(String(asList(keys)[0]).split('.')[0], parameter, name)
    }
  }
})

test('every parameter of every path refuses what it cannot be', async (t) => {
  const { call } = await aCaller(t)
  for (const [name, route] of table) {
    for (const [parameter, schema] of Object.entries<TSchema>(route.params?.properties ?? {})) {
      const wrong = wrongTextFor(schema)
      if (wrong === undefined) continue
      const answer = await call(route, { params: { [parameter]: wrong } })
      assert.deepEqual(refusalIn(answer), [400, 'params', [parameter]], `${name}: ${parameter} ${wrong}`)
    }
  }
})

async function aCaller(t: Parameters<typeof startTestServer>[0]) {
  const server = await startTestServer(t)
  const runnerKey = (await signInRunner(server)).key
  const person = { name: 'alice', password: 'correct horse battery' }
  const token = await renewSetUpToken(server.db)
  const signedIn = await server.send('POST', routes.setUp.path, { key: null, body: { token, ...person } })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const keys: Record<string, string | null> = { public: null, token: null, session: null, runner: runnerKey }
  const call = (route: Route, { params = {}, query = {}, body }: Call): Promise<Answer> => {
    const right = { ...asJson(exampleOf(route.params ?? {}, { of: 'whole' })), accountId: server.accountId }
    const given = asJson({ ...right, ...params })
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])))
    const search = new URLSearchParams({ ...requiredIn(route.query), ...query })
    return server.send(route.method, `${path}?${search}`, {
      key: Object.hasOwn(keys, route.policy) ? (keys[route.policy] ?? null) : server.apiKey,
      headers: route.policy === 'session' ? { cookie, origin: server.url } : {},
      ...(body === undefined ? {} : { body }),
    })
  }
  return { server, call }
}

const AT_ONCE = 16

async function manyAtOnce<T>(items: readonly T[], attempt: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE)
    await Promise.all(items.slice(start, start + AT_ONCE).map(attempt))
}

function requiredIn(query: TSchema | undefined): Record<string, string> {
  const names = new Set(asTexts(asJson(query).required))
  const example = Object.entries(asJson(exampleOf(query, { of: 'whole' })))
  return Object.fromEntries(example.filter(([name]) => names.has(name)).map(([name, value]) => [name, String(value)]))
}

function refusalIn({ status, body }: Answer): [number, unknown, unknown] {
  const { source, keys } = asJson(asJson(body).validation)
  return [status, source, keys]
}

/** A text that the parameter cannot be made of; none where any text will do. */
function wrongTextFor(schema: TSchema): string | undefined {
  const { type, format, pattern, enum: words, items, minimum } = asJson(schema)
  if (type === 'array') return wrongTextFor(asJson(items))
  if (type === 'integer' || type === 'number') return minimum === undefined ? 'many' : String(Number(minimum) - 1)
  if (type === 'boolean') return 'perhaps'
  if (words !== undefined || format !== undefined) return 'no-such-word'
  return typeof pattern === 'string' && !new RegExp(pattern).test('~~') ? '~~' : undefined
}

/** When a key or a runner was last heard of is no change that a request asks for. */
const MARKS_OF_USE = ['last_used_at', 'last_seen_at']

/** A fingerprint of every table. */
async function contentsOf({ db }: TestServer): Promise<Record<string, unknown>> {
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(table_name) as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`.execute(db)
  const prints: Record<string, unknown> = {}
  for (const { name } of tables) {
    const { rows } = await sql`
      select count(*), sum(hashtext((to_jsonb(t) - ${MARKS_OF_USE}::text[])::text)) from ${sql.raw(name)} t`.execute(db)
    prints[name] = rows[0]
  }
  return prints
}
