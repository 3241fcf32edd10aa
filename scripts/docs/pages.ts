/** Every generated page, by its path. */
import { coveragePage } from './coverage.ts'
import { readDocument } from './document.ts'
import { referencePages } from './reference.ts'

export function docPages(root: string): Map<string, string> {
  const document = readDocument()
  const pages = referencePages(document).set('docs/api-coverage.md', coveragePage(document, root))
  return new Map([...pages].map(([path, text]) => [path, `${text}\n`]))
}
