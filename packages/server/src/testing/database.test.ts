import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { testDatabase } from './database.ts'

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

test('every test gets a database of its own', async (t) => {
  const [one, two] = await Promise.all([testDatabase(t), testDatabase(t)])
  await query(one, 'CREATE TABLE mine ()')
  assert.deepEqual(await query(two, "SELECT to_regclass('mine') AS found"), [{ found: null }])
})

test('a template is built once and copied', async (t) => {
  let built = 0
  const template = {
    name: randomUUID(),
    async build(url: string) {
      built += 1
      await query(url, 'CREATE TABLE kept AS SELECT 7 AS number')
    },
  }
  const urls = await Promise.all([testDatabase(t, template), testDatabase(t, template)])
  for (const url of urls) assert.deepEqual(await query(url, 'SELECT number FROM kept'), [{ number: 7 }])
  assert.equal(built, 1)
})

test('a database is dropped when its test ends', async (t) => {
  let url = ''
  await t.test('a test', async (inner) => {
    url = await testDatabase(inner)
  })
  await assert.rejects(query(url, 'SELECT'), /does not exist/)
})
