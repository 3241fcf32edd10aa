import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import fc from 'fast-check'
import { AppError } from '../app-error.ts'
import { makeCheck } from '../testing/checks.ts'
import { assertCursorsHold } from '../testing/cursor-lists.ts'
import { addResults } from '../testing/results.ts'
import { startTestServer } from '../testing/test-server.ts'
import { cutPage, readCursor } from './cursor.ts'

const place = fc.record({ at_us: fc.nat(Number.MAX_SAFE_INTEGER), id: fc.uuid() }, { noNullPrototype: true })

test('a cursor says the place of the last entry, and that the list goes on', () => {
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 5 }), (found, limit) => {
      const { rows, nextId } = cutPage(found, limit)
      assert.deepEqual(rows, found.slice(0, limit))
      assert.deepEqual(readCursor(nextId ?? undefined), found.length > limit ? found[limit - 1] : null)
    }),
  )
  const counted = cutPage(
    [
      { at_us: 5, id: '7' },
      { at_us: 6, id: '8' },
    ],
    1,
  )
  assert.deepEqual(readCursor(counted.nextId ?? undefined, 'number'), { at_us: 5, id: '7' })
})

test('what is no cursor of a list is refused with the name of the parameter', () => {
  const written = (text: string) => Buffer.from(text).toString('base64url')
  const id = randomUUID()
  const wrong = [
    ...['x', '7', id, '%', '☃', written('1'), written(`.${id}`), written(`1.${id} `), written(`-1.${id}`)],
    ...[
      written(`1e3.${id}`),
      written(`01.${id}`),
      written(`1.${id.slice(1)}`),
      written('1.7'),
      `${written(`1.${id}`)}=`,
    ],
    ...[written(`99999999999999999.${id}`), written("1.' or true--"), written(`1.${id.toUpperCase()}`)],
  ]
  for (const nextId of wrong) {
    assert.throws(
      () => readCursor(nextId),
      (error) => error instanceof AppError && error.validation?.keys[0] === 'nextId',
      nextId,
    )
  }
})

test('whatever is added while lists are read, nothing is skipped and nothing read twice', async (t) => {
  const server = await startTestServer(t)
  const account_id = server.accountId
  const rows = (count: number) => Array.from({ length: count }, () => ({ account_id, name: 'Shop' }))
  const ids = (made: readonly { id: string }[]) => made.map(({ id }) => id)
  await assertCursorsHold({
    read: (query) => server.call(routes.listStatusPageServices, { query }),
    add: async (count) =>
      count === 0
        ? []
        : ids(await server.db.insertInto('status_page_services').values(rows(count)).returning('id').execute()),
  })
  const incident = { severity: 'MINOR' } as const
  await assertCursorsHold({
    read: (query) => server.call(routes.listStatusPageIncidents, { query }),
    async add(count) {
      const values = rows(count).map((row) => ({ ...row, ...incident }))
      if (count === 0) return []
      return ids(await server.db.insertInto('status_page_incidents').values(values).returning('id').execute())
    },
  })
  await assertCursorsHold({
    read: (query) => server.call(routes.listStatusPages, { query }),
    async add(count) {
      const bodies = rows(count).map(() => ({ name: 'Shop', url: randomUUID(), cards: [] }))
      return ids(await Promise.all(bodies.map((body) => server.call(routes.createStatusPage, { body }))))
    },
  })
})

test('results and the audit log are read on without a gap, whatever is recorded meanwhile', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server)
  await assertCursorsHold({
    read: (query) => server.call(routes.listCheckResults, { params: { checkId: check.id }, query }),
    add(count) {
      const passed = { verdict: 'passed', responseTimeMs: 7, location: 'us-east-1' } as const
      return addResults(
        server,
        check,
        Array.from({ length: count }, () => ({ ...passed, atMs: Date.now() })),
      )
    },
  })
  await assertCursorsHold({
    read: (query) => server.call(routes.listAuditLog, { query: { ...query, operation: 'PUT /v1/variables/{key}' } }),
    async add(count) {
      const change = { account_id: server.accountId, address: '', operation: 'PUT /v1/variables/{key}', subject: 'x' }
      if (count === 0) return []
      const rows = Array.from({ length: count }, () => change)
      const made = await server.db.insertInto('audit_log').values(rows).returning('id').execute()
      return made.map(({ id }) => id)
    },
  })
})

test('every list by cursor refuses a wrong one', async (t) => {
  const server = await startTestServer(t)
  for (const list of ['', '/services', '/incidents']) {
    const { status, body } = await server.send('GET', `/v1/status-pages${list}?nextId=x`)
    assert.equal(status, 400)
    assert.deepEqual(Reflect.get(Object(body), 'validation'), { source: 'query', keys: ['nextId'] })
  }
})
