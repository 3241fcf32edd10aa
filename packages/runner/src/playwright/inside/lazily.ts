/** A package's module that is not loaded before something of it is used. */
import Module from 'node:module'

/**
 * @param load how it is loaded in the end
 * @param names of what it exports; `objects` are those that are looked up early and used late
 */
export function lazily(
  load: (path: string) => unknown,
  require: NodeJS.Require,
  path: string,
  names: readonly string[],
  objects: readonly string[],
): void {
  const place = require.resolve(path)
  const stub = new Module(place)
  let real: unknown = null
  const find = (name: string): unknown => {
    if (real === null) {
      delete require.cache[place]
      real = load(place)
    }
    return get(real, name)
  }
  const exported: object = { __esModule: true }
  for (const name of names) Object.defineProperty(exported, name, { enumerable: true, get: () => find(name) })
  for (const name of objects) {
    const standIn = new Proxy({}, { get: (_, key) => get(find(name), key) })
    Object.defineProperty(exported, name, { enumerable: true, value: standIn })
  }
  Object.assign(stub, { exports: exported, loaded: true, filename: place })
  require.cache[place] = stub
}

const get = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
