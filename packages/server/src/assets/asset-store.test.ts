/** What holds for every place where files are kept. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { ASSET_KEY, type AssetStore, NoRoom, newKey } from './asset-store.ts'
import { startBucket } from './bucket.fixture.ts'
import { diskStore } from './disk-store.ts'
import { s3Store } from './s3-store.ts'

const places: Record<string, (t: TestContext) => Promise<AssetStore>> = {
  disk: async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'vedette-store-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    return diskStore(join(folder, 'assets'))
  },
  bucket: async (t) => s3Store((await startBucket(t)).settings),
}

const put = (store: AssetStore, key: string, content: string) =>
  store.put(key, Readable.from([Buffer.from(content)]), Buffer.byteLength(content))

async function read(store: AssetStore, key: string, range: { first: number; last: number } | null = null) {
  const content = await store.read(key, range)
  return content === null ? null : text(content)
}

async function keysIn(store: AssetStore): Promise<string[]> {
  const keys: string[] = []
  for await (const { key, modifiedAtMs } of store.list()) {
    assert.ok(modifiedAtMs > 0)
    keys.push(key)
  }
  return keys.sort()
}

for (const [name, open] of Object.entries(places)) {
  test(`${name}: what is put can be read, in whole and in part, listed and deleted`, async (t) => {
    const store = await open(t)
    assert.deepEqual(await keysIn(store), [])
    const keys = Array.from({ length: 5 }, newKey).sort()
    assert.ok(keys.every((key) => ASSET_KEY.test(key)))
    for (const key of keys) await put(store, key, `0123456789 ${key}`)
    const [first = '', ...rest] = keys
    assert.equal(await read(store, first), `0123456789 ${first}`)
    assert.equal(await read(store, first, { first: 2, last: 4 }), '234')
    assert.deepEqual(await keysIn(store), keys)
    await put(store, first, 'anew')
    assert.equal(await read(store, first), 'anew')
    await store.delete(first)
    await store.delete(first)
    assert.equal(await read(store, first), null)
    assert.deepEqual(await keysIn(store), rest)
  })

  test(`${name}: a file that breaks off is not there`, async (t) => {
    const store = await open(t)
    const key = newKey()
    const broken = new Readable({
      read() {
        this.push('half')
        this.destroy(new Error('the runner is gone'))
      },
    })
    await assert.rejects(store.put(key, broken, 100))
    assert.equal(await read(store, key), null)
  })
}

test('bucket: nothing is taken or told without the right key, and no key is told', async (t) => {
  const { settings, objects } = await startBucket(t)
  const stranger = s3Store({ ...settings, secretKey: 'a guess' })
  const key = newKey()
  await assert.rejects(put(stranger, key, 'abc'), (error: Error) => {
    assert.equal(error.message, 'The bucket answered 403 SignatureDoesNotMatch')
    return true
  })
  await assert.rejects(stranger.read(key, null), /403/)
  assert.equal(objects.size, 0)
})

test('bucket: one that is full or fails says so', async (t) => {
  const { settings, failWith } = await startBucket(t)
  const store = s3Store(settings)
  failWith(507)
  await assert.rejects(put(store, newKey(), 'abc'), NoRoom)
  failWith(500)
  await assert.rejects(put(store, newKey(), 'abc'), /500 Trouble/)
  await assert.rejects(keysIn(store), /500 Trouble/)
})
