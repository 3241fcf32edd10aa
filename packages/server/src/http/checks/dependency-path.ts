/** Paths of the files that come with a script: they are written below the run's own folder and nowhere else. */

/** What is wrong with the path, as the end of a sentence; null when it may be used. */
export function problemOfPath(path: string): string | null {
  if (path.startsWith('/') || /^[a-zA-Z]:/.test(path)) return 'must be relative'
  if (path.includes('\\')) return 'must use / between folders'
  const parts = path.replace(/^\.\//, '').split('/')
  return parts.some((part) => part === '' || part === '.' || part === '..')
    ? 'must be a plain path without . and ..'
    : null
}
