import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { type Route, routes } from '@vedette/schema'
import { exampleOf } from './describe/example.ts'
import { asJson, asList, isJson, type Json } from './describe/json.ts'
import { describeApi } from './openapi.ts'
import { validate } from './validation.ts'

const table = Object.entries<Route>(routes)
const description: Json = JSON.parse(JSON.stringify(describeApi(Object.values(routes), 'https://vedette.test')))
const operations = Object.entries(asJson(description.paths)).flatMap(([path, methods]) =>
  Object.entries(asJson(methods)).map(([method, operation]) => ({ path, method, operation: asJson(operation) })),
)

test('the description is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(description))
  assert.ok(valid, JSON.stringify(errors, null, 2))
})

test('every route is described once, under its own name', () => {
  const named = operations.map(({ path, method, operation }) => `${operation.operationId}: ${method} ${path}`)
  const wanted = table.map(([name, { method, path }]) => `${name}: ${method.toLowerCase()} ${path}`)
  assert.deepEqual(named.toSorted(), wanted.toSorted())
})

test('every reference leads somewhere', () => {
  const references = JSON.stringify(description).match(/"#\/components\/[^"]+"/g) ?? []
  assert.ok(references.length > 0)
  for (const reference of new Set(references)) {
    const [, ...steps] = JSON.parse(reference).split('/')
    const found = steps.reduce((place: unknown, step: string) => asJson(place)[step], description)
    assert.ok(isJson(found), reference)
  }
})

test('every parameter of a path is described, and no other', () => {
  for (const { path, method, operation } of operations) {
    const given = asList(operation.parameters).map(asJson)
    const ofPath = given.filter((parameter) => parameter.in === 'path')
    const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    assert.deepEqual(ofPath.map(({ name }) => name).toSorted(), wanted.toSorted(), `${method} ${path}`)
    for (const { name, description: words } of ofPath) assert.equal(typeof words, 'string', `${path}: ${name}`)
  }
})

test('every operation says who may call it, and what it may refuse', () => {
  for (const { path, method, operation } of operations) {
    const what = `${method} ${path}`
    assert.match(String(operation.description), /\*\*Who may call it:\*\*/, what)
    const statuses = Object.keys(asJson(operation.responses))
    const isOpen = asList(operation.security).length === 0
    for (const status of ['500', '503', ...(isOpen ? [] : ['401'])]) assert.ok(statuses.includes(status), what)
    if (operation.requestBody === undefined) continue
    // Of a file any type is taken.
    const isFile = 'application/octet-stream' in asJson(asJson(operation.requestBody).content)
    for (const status of ['400', '413', ...(isFile ? [] : ['415'])]) assert.ok(statuses.includes(status), what)
  }
})

test('examples are examples of what they stand beside', () => {
  for (const [name, route] of table) {
    const { body, answers, media } = route
    const say = (example: unknown) =>
      `${name}: give the schema \`examples\`, for this is none: ${JSON.stringify(example)}`
    if (body !== undefined)
      for (const example of [exampleOf(body, { of: 'request' }), ...variantsOf(body).map(wholeExample)])
        assert.doesNotThrow(() => validate(body, example, 'payload'), say(example))
    for (const schema of Object.values(answers)) {
      if (schema === null || media !== undefined) continue
      const example = exampleOf(schema, { of: 'answer' })
      assert.doesNotThrow(() => validate(schema, example, 'payload'), say(example))
    }
  }
})

const wholeExample = (schema: unknown) => exampleOf(schema, { of: 'whole' })

function variantsOf(schema: unknown): unknown[] {
  const variants = asList(asJson(schema).anyOf)
  return variants.length === 0 ? [schema] : variants.flatMap(variantsOf)
}

test('the same routes are always described in the same words', () => {
  assert.deepEqual(
    JSON.stringify(describeApi(Object.values(routes), 'https://vedette.test')),
    JSON.stringify(description),
  )
})
