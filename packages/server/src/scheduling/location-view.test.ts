import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestServer } from '../testing/test-server.ts'
import { loadLocationView, locationViews } from './location-view.ts'

test('a built-in runner that is just being started counts as there: checks that are made meanwhile have a location', async (t) => {
  const { db, accountId } = await startTestServer(t)
  const views = locationViews(db, ['eu-west-1'])
  const view = await views()
  const [no = 0, other = 0] = view.numbersOf(accountId, ['eu-west-1', 'us-east-1'], [])
  assert.deepEqual([view.servedBy(no), view.servedBy(other)], ['built-in', 'nobody'])
  assert.equal((await loadLocationView(db, ['eu-west-1'])).servedBy(no), 'nobody')
})
