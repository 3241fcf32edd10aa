import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { type TestContext, test } from 'node:test'
import { BundleCache } from './bundle-cache.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Of bundles that are texts. */
function cacheOf(t: TestContext, texts: readonly string[], mostBytes?: number) {
  const asked: string[] = []
  const cache = new BundleCache(
    async (sha256, leaseId) => {
      asked.push(leaseId)
      const text = texts.find((one) => hashOf(one) === sha256)
      if (text === undefined) throw new Error('it was answered 404')
      async function* pieces() {
        for (const letter of text ?? '') yield Buffer.from(letter)
      }
      return pieces()
    },
    mostBytes === undefined ? {} : { mostBytes },
  )
  t.after(() => cache.close())
  return { cache, asked }
}

test('a bundle is fetched once, however many runs want it', async (t) => {
  const { cache, asked } = cacheOf(t, ['shop'])
  const [one, two] = await Promise.all([cache.fileOf(hashOf('shop'), 'a'), cache.fileOf(hashOf('shop'), 'b')])
  assert.equal(readFileSync(one, 'utf8'), 'shop')
  assert.deepEqual([one, await cache.fileOf(hashOf('shop'), 'c'), asked], [two, one, ['a']])
  await cache.close()
  assert.equal(existsSync(dirname(one)), false)
})

test('what came otherwise than its hash says is not kept, nor is what did not come', async (t) => {
  let text = 'shob'
  const cache = new BundleCache(async () =>
    (async function* () {
      yield Buffer.from(text)
    })(),
  )
  t.after(() => cache.close())
  await assert.rejects(cache.fileOf(hashOf('shop'), 'a'), /other bytes/)
  text = 'shop'
  assert.equal(readFileSync(await cache.fileOf(hashOf('shop'), 'b'), 'utf8'), 'shop')
  const { cache: empty, asked } = cacheOf(t, [])
  for (const lease of ['a', 'b']) await assert.rejects(empty.fileOf(hashOf('shop'), lease), /404/)
  assert.deepEqual(asked, ['a', 'b'])
})

test('what somebody else has removed is fetched again, with its folder or without', async (t) => {
  const { cache, asked } = cacheOf(t, ['shop'])
  const path = await cache.fileOf(hashOf('shop'), 'a')
  rmSync(path)
  assert.equal(readFileSync(await cache.fileOf(hashOf('shop'), 'b'), 'utf8'), 'shop')
  rmSync(dirname(path), { recursive: true })
  assert.equal(readFileSync(await cache.fileOf(hashOf('shop'), 'c'), 'utf8'), 'shop')
  assert.deepEqual(asked, ['a', 'b', 'c'])
})

test('the one that was not wanted for longest makes room', async (t) => {
  const { cache, asked } = cacheOf(t, ['one', 'two', 'six'], 6)
  const [one, two, six] = ['one', 'two', 'six'].map(hashOf)
  assert.ok(one && two && six)
  await cache.fileOf(one, '1')
  const gone = await cache.fileOf(two, '2')
  await cache.fileOf(one, '3')
  await cache.fileOf(six, '4')
  assert.equal(existsSync(gone), false)
  await cache.fileOf(one, '5')
  await cache.fileOf(two, '6')
  assert.deepEqual(asked, ['1', '2', '4', '6'])
})
