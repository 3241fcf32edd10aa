import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Discriminated, Nullable, route } from '@vedette/schema'
import Type from 'typebox'
import { AppError } from '../app-error.ts'
import { describeApi } from './openapi.ts'
import { clean, complete, validate } from './validation.ts'

const Cat = Type.Object({ kind: Type.Literal('CAT'), lives: Type.Integer({ maximum: 9, default: 9 }) })
const Bird = Type.Object({
  kind: Type.Enum(['OWL', 'CROW']),
  wings: Type.Object({ span: Type.Number(), colour: Type.String({ default: 'black' }) }),
})
const Animal = Discriminated('kind', [Cat, Bird])

function refusal(schema: Parameters<typeof validate>[0], value: unknown): string | null {
  try {
    validate(schema, value, 'payload')
    return null
  } catch (error) {
    if (error instanceof AppError) return `${error.message} (${error.validation?.keys.join()})`
    throw error
  }
}

test('the word decides which shape is asked for, and is itself refused by name', () => {
  const rows: [unknown, string | null][] = [
    [{ kind: 'CAT', lives: 3 }, null],
    [{ kind: 'CAT' }, null],
    [{ kind: 'CROW', wings: { span: 1 }, lives: 'not asked of birds' }, null],
    [{ lives: 3 }, '"kind" is required (kind)'],
    [{ kind: 'DOG' }, '"kind" must be one of CAT, OWL, CROW (kind)'],
    [{ kind: null }, '"kind" must be one of CAT, OWL, CROW (kind)'],
    [{ kind: ['CAT'] }, '"kind" must be one of CAT, OWL, CROW (kind)'],
    [{ kind: 'CAT', lives: 10 }, '"lives" must be 9 or less (lives)'],
    [{ kind: 'OWL' }, '"wings" is required (wings)'],
    [{ kind: 'OWL', wings: {} }, '"wings.span" is required (wings.span)'],
    ['CAT', 'The payload must be an object ()'],
    [null, 'The payload must be an object ()'],
    [[], 'The payload must be an object ()'],
  ]
  for (const [value, expected] of rows) assert.equal(refusal(Animal, value), expected, JSON.stringify(value))
})

test('it is so inside of other shapes too', () => {
  const Zoo = Type.Object({ animals: Type.Array(Animal), mascot: Type.Optional(Nullable(Animal)) })
  const rows: [unknown, string | null][] = [
    [{ animals: [{ kind: 'CAT' }, { kind: 'OWL', wings: { span: 1 } }], mascot: null }, null],
    [{ animals: [{ kind: 'CAT' }, {}] }, '"animals.1.kind" is required (animals.1.kind)'],
    [{ animals: [{ kind: 'OWL', wings: 2 }] }, '"animals.0.wings" must be an object (animals.0.wings)'],
    [{ animals: [], mascot: { kind: 'DOG' } }, '"mascot.kind" must be one of CAT, OWL, CROW (mascot.kind)'],
  ]
  for (const [value, expected] of rows) assert.equal(refusal(Zoo, value), expected, JSON.stringify(value))
})

test('unknown keys are dropped and defaults filled in by the shape that was meant', () => {
  const owl = { kind: 'OWL', lives: 3, wings: { span: 1, feathers: 4000 } }
  assert.deepEqual(complete(Animal, owl), { kind: 'OWL', wings: { span: 1, colour: 'black' } })
  assert.deepEqual(clean(Animal, owl), { kind: 'OWL', wings: { span: 1 } })
  assert.deepEqual(complete(Animal, { kind: 'CAT', wings: {} }), { kind: 'CAT', lives: 9 })
})

test('the description of the API names the property', () => {
  const keep = route({
    method: 'POST',
    path: '/v1/animals',
    policy: 'write',
    tag: 'Animals',
    summary: 'Keep an animal',
    body: Animal,
    answers: { 201: Type.Array(Animal) },
  })
  const described = JSON.parse(JSON.stringify(describeApi([keep], 'http://vedette.test')))
  const { requestBody, responses } = described.paths['/v1/animals'].post
  for (const schema of [
    requestBody.content['application/json'].schema,
    responses['201'].content['application/json'].schema.items,
  ]) {
    assert.deepEqual(schema.discriminator, { propertyName: 'kind' })
    assert.equal(schema.oneOf.length, 2)
    assert.equal(schema.anyOf, undefined)
  }
})
