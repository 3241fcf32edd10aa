import assert from 'node:assert/strict'
import { test } from 'node:test'
import { complaintsIn } from './complaints.ts'
import { Refusal } from './refusal.ts'

test('a refusal is shown at the field it names, or at the row that holds it', () => {
  const complaints = complaintsIn(new Refusal(400, 'It must be a number.', ['request.assertions[1].target']))
  assert.equal(complaints.at('request.assertions.1'), 'It must be a number.')
  assert.equal(complaints.at('request.assertions.0'), undefined)
  assert.equal(complaints.at('request.assert'), undefined)
  assert.equal(complaints.any, true)
})

test('other trouble belongs to no field', () => {
  const complaints = complaintsIn(new Error('The server cannot be reached.'))
  assert.equal(complaints.any, false)
  assert.equal(complaints.at('name'), undefined)
})
