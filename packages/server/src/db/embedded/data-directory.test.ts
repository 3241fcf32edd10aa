import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultDataDir } from './data-directory.ts'

test('an ordinary user has the data where it works', () => {
  assert.equal(defaultDataDir({ isRoot: false, cwd: '/home/ada/vedette' }), '/home/ada/vedette/data')
})

test('root has it in the system state directory, one for each checkout', () => {
  const one = defaultDataDir({ isRoot: true, cwd: '/root/one' })
  assert.match(one, /^\/var\/lib\/vedette\/[0-9a-f]{12}$/)
  assert.equal(defaultDataDir({ isRoot: true, cwd: '/root/one/' }), one)
  assert.notEqual(defaultDataDir({ isRoot: true, cwd: '/root/two' }), one)
})
