import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { docPages } from './pages.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('the pages about the API say what the routes say: run `npm run docs` where they do not', () => {
  const pages = docPages(root)
  const present = [...globSync('docs/api/*.md', { cwd: root }), 'docs/api-coverage.md']
  assert.deepEqual(present.toSorted(), [...pages.keys()].toSorted())
  for (const [path, text] of pages) assert.ok(readFileSync(join(root, path), 'utf8') === text, `${path} is out of date`)
})

test('every link of a page leads somewhere', () => {
  for (const path of [...globSync('docs/**/*.md', { cwd: root }), ...globSync('*.md', { cwd: root })]) {
    const text = readFileSync(join(root, path), 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const [file = '', anchor] = target.split('#')
      const place = file === '' ? join(root, path) : join(root, dirname(path), file)
      assert.ok(existsSync(place), `${path}: ${target}`)
      if (anchor !== undefined) assert.ok(anchorsIn(place).has(anchor), `${path}: ${target}`)
    }
  }
})

const known = new Map<string, Set<string>>()

function anchorsIn(path: string): Set<string> {
  const text = readFileSync(path, 'utf8')
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
  const named = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, name = '']) => name)
  const anchors = known.get(path) ?? new Set([...headings, ...named])
  known.set(path, anchors)
  return anchors
}
