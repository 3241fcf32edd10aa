/** What is small and not a check: any body that validates is kept as it was given, any other one changes nothing. */
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { problemOfWindow } from '@vedette/core'
import {
  ClientCertificateCreate,
  MaintenanceWindowCreate,
  MaintenanceWindowUpdate,
  SnippetWrite,
  VariableCreate,
  VariableUpdate,
} from '@vedette/schema'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { arbitraryOf, type Instead } from '../testing/arbitrary.ts'
import { selfSigned } from '../testing/certificates.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

type Body = Record<string, unknown>

interface Resource {
  what: string
  path: string
  /** The field by which one is found. */
  id: string
  create: TSchema
  /** Bodies that obey the rules beyond the schema, too; the number keeps apart what must be unique. */
  bodies: (no: number) => fc.Arbitrary<Body>
  /** As it is answered. */
  shown: (body: Body) => Body
}

interface Changeable extends Resource {
  update: TSchema
  /** Whether an update may be refused for what it makes of the whole. */
  isPossible: (whole: Body) => boolean
  updates: (no: number) => fc.Arbitrary<Body>
  /** The fields that are answered otherwise from then on, as far as this update decides. */
  changed: (before: Body, update: Body) => Body
}

/** What is undefined is not sent. */
const sent = (body: unknown): Body => JSON.parse(JSON.stringify(body))
const bodiesOf = (schema: TSchema, instead: Instead = {}) => arbitraryOf(schema, instead).map(sent)

const variables: Changeable = {
  what: 'variable',
  path: '/v1/variables',
  id: 'key',
  create: VariableCreate,
  update: VariableUpdate,
  bodies: (no) => bodiesOf(VariableCreate).map((body) => ({ ...body, key: `${body.key}_${no}` })),
  shown: ({ key, value, locked = false, secret = false }) => ({ key, value: secret ? null : value, locked, secret }),
  updates: () => bodiesOf(VariableUpdate),
  changed: (before, { value, locked, secret }) => ({
    value: before.secret || secret ? null : value,
    ...(locked === undefined ? {} : { locked }),
    // What is secret stays so.
    ...(secret ? { secret } : {}),
  }),
  isPossible: () => true,
}

const names = fc
  .string({ unit: 'grapheme-composite', minLength: 1, maxLength: 20 })
  .filter((name) => !/[/\\:*?"<>|\p{C}]/u.test(name) && !/^[.\s]/.test(name))

const snippets: Changeable = {
  what: 'snippet',
  path: '/v1/snippets',
  id: 'id',
  create: SnippetWrite,
  update: SnippetWrite,
  bodies: (no) => bodiesOf(SnippetWrite, { name: names.map((name) => `${name}${no}`) }),
  shown: (body) => body,
  updates: (no) => bodiesOf(SnippetWrite, { name: names.map((name) => `${name}${no}`) }),
  changed: (_before, update) => update,
  isPossible: () => true,
}

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
const days = fc.integer({ min: 18_000, max: 22_000 }).map((day) => day * DAY_MS)
const iso = (ms: number) => new Date(ms).toISOString()
const WINDOW_FIELDS: Instead = {
  tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'team:red', 'Ä ö'), { maxLength: 3 }),
  timezone: fc.constantFrom(null, '', 'UTC', 'Europe/Berlin', 'America/St_Johns'),
  startsAt: days.map(iso),
  endsAt: days.map((ms) => iso(ms + 90 * MINUTE_MS)),
  repeatEndsAt: fc.option(days.map(iso)),
}
const inMs = (text: unknown) => Date.parse(String(text))

const windows: Changeable = {
  what: 'maintenance window',
  path: '/v1/maintenance-windows',
  id: 'id',
  create: MaintenanceWindowCreate,
  update: MaintenanceWindowUpdate,
  bodies: () =>
    fc.tuple(bodiesOf(MaintenanceWindowCreate, WINDOW_FIELDS), days, fc.integer({ min: 1, max: 1200 })).map(
      ([body, startsAtMs, minutes]): Body => ({
        ...body,
        startsAt: iso(startsAtMs),
        endsAt: iso(startsAtMs + minutes * MINUTE_MS),
        ...(typeof body.repeatEndsAt === 'string' ? { repeatEndsAt: iso(startsAtMs + 30 * DAY_MS) } : {}),
        ...(body.repeatInterval != null && body.repeatUnit === undefined ? { repeatUnit: 'WEEK' } : {}),
      }),
    ),
  shown: (body) => ({
    description: null,
    tags: [],
    pauseAllChecks: false,
    repeatInterval: null,
    repeatEndsAt: null,
    ...body,
    // Older clients write an empty text for none.
    repeatUnit: body.repeatUnit || null,
    timezone: body.timezone || null,
  }),
  updates: () => bodiesOf(MaintenanceWindowUpdate, WINDOW_FIELDS),
  changed: (_before, update) => ({
    ...update,
    ...(update.repeatUnit === undefined ? {} : { repeatUnit: update.repeatUnit || null }),
    ...(update.timezone === undefined ? {} : { timezone: update.timezone || null }),
  }),
  isPossible: ({ startsAt, endsAt, repeatUnit, repeatInterval, repeatEndsAt, timezone }) =>
    problemOfWindow({
      startsAtMs: inMs(startsAt),
      endsAtMs: inMs(endsAt),
      repeatUnit: repeatUnit === 'DAY' || repeatUnit === 'WEEK' || repeatUnit === 'MONTH' ? repeatUnit : null,
      repeatInterval: typeof repeatInterval === 'number' ? repeatInterval : null,
      repeatEndsAtMs: repeatEndsAt === null ? null : inMs(repeatEndsAt),
      timezone: typeof timezone === 'string' ? timezone : null,
    }) === null,
}

const PASSPHRASE = 'open sesame'
const plain = selfSigned()
const locked = selfSigned(PASSPHRASE)
const certificates: Resource = {
  what: 'client certificate',
  path: '/v1/client-certificates',
  id: 'id',
  create: ClientCertificateCreate,
  bodies: () =>
    fc
      .record(
        {
          host: fc.constantFrom('shop.test', '*.shop.test', '*', '192.0.2.1', '[2001:db8::1]', 'a_b-c.example'),
          pair: fc.constantFrom<Body>(
            plain,
            { ...plain, passphrase: null },
            { ...plain, cert: `${plain.cert}${locked.cert}` },
            { ...locked, passphrase: PASSPHRASE },
          ),
          ca: fc.constantFrom(null, plain.cert, `${plain.cert}\n${locked.cert}`),
        },
        { requiredKeys: ['host', 'pair'] },
      )
      .map(({ pair, ...rest }) => sent({ ...pair, ...rest })),
  shown: ({ host, cert, ca = null }) => {
    const { subject = '', validFrom, validTo } = new X509Certificate(String(cert))
    const instant = (text: string) => new Date(text).toISOString()
    return { host, cert, ca, subject, validFrom: instant(validFrom), validTo: instant(validTo) }
  },
}

const changeable = [variables, snippets, windows]
const all: Resource[] = [...changeable, certificates]

async function send(server: TestServer, method: string, path: string, body?: Body) {
  const answer = await server.send(method, path, body === undefined ? {} : { body })
  const answered: Body = Object(answer.body)
  return { status: answer.status, body: answered }
}

const pathOf = ({ path, id }: Resource, made: Body) => `${path}/${encodeURIComponent(String(made[id]))}`

/** All that is stored of the kind, and how much was noted in the audit log. */
async function everything(server: TestServer, { path }: Resource) {
  const listed = await server.send('GET', `${path}?limit=100`)
  const { rows } = await sql`select count(*) from audit_log`.execute(server.db)
  return { listed: listed.body, noted: rows }
}

/** A body with one field that is something else, or gone. */
function broken({ bodies }: Resource, schema: TSchema): fc.Arbitrary<Body> {
  const fields = Object.keys(Object(Object(schema).properties))
  return fc
    .tuple(bodies(0), fc.constantFrom(...fields), fc.option(fc.jsonValue(), { nil: undefined }))
    .map(([body, field, value]) => sent({ ...body, [field]: value }))
    .filter((body) => !Value.Check(schema, body))
}

for (const resource of all) {
  const { what, path } = resource
  test(`any ${what} that validates is kept and read back as it was given`, async (t) => {
    const server = await startTestServer(t)
    let no = 0
    const bodies = fc.constant(null).chain(() => resource.bodies(++no))
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const made = await send(server, 'POST', path, body)
        assert.equal(made.status, 201, JSON.stringify([body, made.body]))
        const { id: _id, created_at: _created, updated_at: _updated, ...shown } = made.body
        assert.deepEqual(shown, resource.shown(body))
        assert.deepEqual(await send(server, 'GET', pathOf(resource, made.body)), { status: 200, body: made.body })
      }),
      { numRuns: 40 },
    )
  })

  test(`no ${what} that does not validate changes anything`, async (t) => {
    const server = await startTestServer(t)
    const [first] = fc.sample(resource.bodies(0), 1)
    const { body: made } = await send(server, 'POST', path, first)
    const before = await everything(server, resource)
    const refuses = (method: string, at: string, schema: TSchema) =>
      fc.assert(
        fc.asyncProperty(broken(resource, schema), async (body) => {
          const answer = await send(server, method, at, body)
          assert.equal(answer.status, 400, JSON.stringify([body, answer.body]))
        }),
        { numRuns: 40 },
      )
    await refuses('POST', path, resource.create)
    for (const other of changeable) if (other === resource) await refuses('PUT', pathOf(resource, made), other.update)
    assert.deepEqual(await everything(server, resource), before)
  })
}

for (const resource of changeable) {
  test(`an update of a ${resource.what} touches the fields that it names and no other`, async (t) => {
    const server = await startTestServer(t)
    const [first] = fc.sample(resource.bodies(0), 1)
    const { body: made } = await send(server, 'POST', resource.path, first)
    let before = made
    let no = 0
    let changes = 0
    const updates = fc.constant(null).chain(() => resource.updates(++no))
    await fc.assert(
      fc.asyncProperty(updates, async (update) => {
        const { status, body: after } = await send(server, 'PUT', pathOf(resource, made), update)
        const expected = { ...before, ...resource.changed(before, update) }
        const startsRepeating = update.repeatInterval != null && update.repeatUnit === undefined
        const isPossible = resource.isPossible(expected) && !(startsRepeating && before.repeatUnit === null)
        assert.equal(status, isPossible ? 200 : 400, JSON.stringify([before, update, after]))
        if (isPossible) {
          assert.deepEqual({ ...after, updated_at: null }, { ...expected, updated_at: null })
          before = after
          changes += 1
        }
        assert.deepEqual((await send(server, 'GET', pathOf(resource, made))).body, before)
      }),
      { numRuns: 60 },
    )
    assert.ok(changes > 5, `${changes} changes`)
  })
}

test('certificates whose parts do not belong together change nothing', async (t) => {
  const server = await startTestServer(t)
  const before = await everything(server, certificates)
  const bodies: Body[] = [
    { ...plain, key: locked.key, passphrase: PASSPHRASE },
    { ...locked, key: plain.key },
    { ...locked },
    { ...locked, passphrase: 'open barley' },
    { ...plain, ca: plain.key },
  ]
  for (const body of bodies) {
    const answer = await send(server, 'POST', certificates.path, { host: 'shop.test', ...body })
    assert.equal(answer.status, 400)
    assert.doesNotMatch(JSON.stringify(answer.body), /PRIVATE KEY|sesame|barley/)
  }
  assert.deepEqual(await everything(server, certificates), before)
})
