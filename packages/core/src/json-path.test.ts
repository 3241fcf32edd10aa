import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { query } from 'json-p3'
import { findValues, problemOfJsonPath } from './json-path.ts'

const document = {
  store: {
    book: [
      { title: 'Sayings', price: 8.95, category: 'reference', isbn: null },
      { title: 'Sword', price: 12.99, category: 'fiction', length: 'long' },
      { title: 'Moby', price: 8.99, category: 'fiction', isbn: '0-553' },
    ],
    bicycle: { color: 'red', price: 399, 'a b': true },
  },
  max: 10,
}

const paths = [
  '$',
  '$.*',
  '$..*',
  '$.store.book[*].title',
  '$..title',
  '$.store.book[0]',
  '$.store.book[-1:]',
  '$.store.book[:2]',
  '$.store.book[::-1].title',
  '$.store.book[2:0:-1]',
  '$.store.book[5]',
  '$.store.book[1,0,1].price',
  "$['store']['bicycle']['a b']",
  '$..book[?@.isbn]',
  '$..book[?!@.isbn]',
  '$..book[?@.price < $.max].title',
  '$..book[?@.price >= 8.99 && @.category == "fiction"].title',
  '$..book[?@.isbn == null].title',
  '$..book[?length(@.title) == 4].price',
  '$..[?count(@.*) > 3].title',
  "$..book[?match(@.title, 'S.*')].title",
  "$..book[?search(@.title, 'o')].title",
  '$..book[?value(@..isbn) == "0-553"]',
  '$.store.book[?@.length == "long"].title',
  '$.store[?@[0].price == 8.95]',
  '$..price',
  '$.missing..x',
  '$[?@ == @]',
  '$..book[?(@.price > 9 || @.isbn)].title',
  '$..book[?@.title == $.store.book[0].title].price',
]

test('finds what the reference implementation finds', () => {
  for (const path of paths) assert.deepEqual(findValues(path, document), query(path, document).values(), path)
})

test('finds what the reference implementation finds in any document', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(...paths), (value, path) => {
      const json: unknown = JSON.parse(JSON.stringify(value))
      assert.deepEqual(findValues(path, json), query(path, JSON.parse(JSON.stringify(value))).values())
    }),
    { numRuns: 1000 },
  )
})

test('understands .length at the end of lists and texts, and members of that name', () => {
  assert.deepEqual(findValues('$.store.book.length', document), [3])
  assert.deepEqual(findValues('$..title.length', document), [7, 5, 4])
  assert.deepEqual(findValues('$.store.book[1].length', document), ['long'])
  assert.deepEqual(findValues('$.store.bicycle.length', document), [])
  assert.deepEqual(findValues('$.length', [1, 2]), [2])
})

test('stops at its limits', () => {
  const wide = Array.from({ length: 2000 }, (_, index) => index)
  assert.throws(() => findValues('$[?count($[*]) > 0]', wide), /more than 100000 nodes/)
  assert.throws(() => findValues('$..*..*..*', [[[[[[wide, wide]]]]]]), /more than 100000 nodes/)
  assert.throws(() => findValues('$[?$[0] == $[1]]', [wide, [...wide], ...wide]), /more than 100000 nodes/)
  const deep: unknown = JSON.parse('['.repeat(5000) + ']'.repeat(5000))
  assert.throws(() => findValues('$..a', deep), /nested more than 64/)
  assert.deepEqual(findValues('$[0][0].length', deep), [1])
})

test('never evaluates a path as code', () => {
  for (const path of [
    "$..[?(@.constructor.constructor('return process')())]",
    '$[(@.length-1)]',
    '$.a[?(process.exit())]',
    '$.a[`b`]',
    '$[?@.a =~ /x/]',
  ]) {
    assert.notEqual(problemOfJsonPath(path), null, path)
  }
  assert.deepEqual(findValues('$.constructor', {}), [])
  assert.deepEqual(findValues('$.__proto__', {}), [])
})

test('a pattern inside a path runs on the linear engine', () => {
  const startedAt = performance.now()
  assert.deepEqual(findValues("$[?search(@, '^(a+)+$')]", [`${'a'.repeat(50_000)}!`]), [])
  assert.ok(performance.now() - startedAt < 500)
})
