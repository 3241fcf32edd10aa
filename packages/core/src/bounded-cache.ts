/** Remembers what is costly to compile, at most so many entries: the one unused for longest goes first. */
export function boundedCache<Value>(limit: number, make: (key: string) => Value): (key: string) => Value {
  const entries = new Map<string, Value>()
  return (key) => {
    const known = entries.get(key)
    if (known !== undefined) {
      entries.delete(key)
      entries.set(key, known)
      return known
    }
    const made = make(key)
    entries.set(key, made)
    if (entries.size > limit) {
      for (const oldest of entries.keys()) {
        entries.delete(oldest)
        break
      }
    }
    return made
  }
}
