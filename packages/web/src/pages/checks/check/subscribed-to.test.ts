import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subscribedTo } from './subscribed-to.ts'

const on = (alertChannelId: number) => ({ alertChannelId, activated: true })
const off = (alertChannelId: number) => ({ alertChannelId, activated: false })

test('a check hears of the channels of its group, unless it says otherwise itself', () => {
  assert.deepEqual(subscribedTo([on(1)], []), { ids: [1], from: ['check'] })
  assert.deepEqual(subscribedTo([on(1)], [on(2)]), { ids: [1, 2], from: ['check', 'group'] })
  assert.deepEqual(subscribedTo([on(1), off(2)], [on(2), off(3)]), { ids: [1], from: ['check'] })
  assert.deepEqual(subscribedTo([], [on(2)]), { ids: [2], from: ['group'] })
})
