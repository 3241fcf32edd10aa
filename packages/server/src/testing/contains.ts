import assert from 'node:assert/strict'

/** All that was given is there; what is more beside it does not matter. */
export function assertContains(actual: unknown, given: unknown, path = 'it'): void {
  if (Array.isArray(given)) {
    assert.ok(Array.isArray(actual) && actual.length === given.length, `${path}: ${JSON.stringify(actual)}`)
    given.forEach((part, index) => {
      assertContains(actual[index], part, `${path}.${index}`)
    })
    return
  }
  if (typeof given === 'object' && given !== null) {
    for (const [name, part] of Object.entries(given)) {
      assertContains(Reflect.get(Object(actual), name), part, `${path}.${name}`)
    }
    return
  }
  assert.deepEqual(actual, given, path)
}
