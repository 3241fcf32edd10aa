/** `npm run docs`: writes the pages below `docs` that are made from the routes and schemas. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { docPages } from './pages.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = docPages(root)
rmSync(join(root, 'docs/api'), { recursive: true, force: true })
mkdirSync(join(root, 'docs/api'), { recursive: true })
for (const [path, text] of pages) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
console.log(`${pages.size} pages written to docs`)
