import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { checkImports, importsOf } from './check-imports.mjs'

/** Checks a little tree of files, given as path → text, or for a package.json path → object. */
function problemsOf(t, tree) {
  const root = mkdtempSync(join(tmpdir(), 'vedette-imports-'))
  t.after(() => rmSync(root, { recursive: true }))
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return checkImports(root)
}

const manifest = (...names) => ({ dependencies: Object.fromEntries(names.map((name) => [name, '1.0.0'])) })

test('imports that point inwards pass', (t) => {
  const problems = problemsOf(t, {
    'package.json': { devDependencies: { 'fast-check': '1.0.0' } },
    'packages/core/package.json': manifest('@vedette/schema', 'json-p3'),
    'packages/core/src/index.ts':
      "import { x } from '@vedette/schema'\nimport { query } from 'json-p3'\nexport * from './slots.ts'\n",
    'packages/core/src/slots.ts': 'export const slots = 1\n',
    'packages/core/src/slots.test.ts':
      "import { test } from 'node:test'\nimport fc from 'fast-check'\nimport './slots.ts'\n",
    'packages/server/package.json': manifest('@vedette/core'),
    'packages/server/src/server.ts': "import { routes } from './http/routes.ts'\n",
    'packages/server/src/http/routes.ts': "import { lease } from '../scheduling/lease.ts'\n",
    'packages/server/src/scheduling/lease.ts': "import { open } from '../db/open.ts'\nimport '../config.ts'\n",
    'packages/server/src/db/open.ts': "import { readFile } from 'node:fs'\n",
    'packages/server/src/config.ts': "import type { Slot } from '@vedette/core'\n",
    'tests/whole.test.ts': "import fc from 'fast-check'\nimport '../packages/server/src/config.ts'\n",
  })
  assert.deepEqual(problems, [])
})

const violations = [
  [
    'a package that imports outwards',
    {
      'packages/core/package.json': manifest('@vedette/server'),
      'packages/core/src/a.ts': "import '@vedette/server'\n",
    },
    'packages/core/src/a.ts: core must not import server',
  ],
  [
    'a path into another package',
    { 'packages/server/src/a.ts': "import '../../core/src/b.ts'\n", 'packages/core/src/b.ts': '' },
    'packages/server/src/a.ts: ../../core/src/b.ts leads out of the package: import others by their names',
  ],
  [
    'a package that is not declared',
    { 'packages/server/src/a.ts': "import { Pool } from 'pg/lib/pool.js'\n" },
    'packages/server/src/a.ts: pg is not declared in packages/server/package.json',
  ],
  [
    'a dev dependency outside tests',
    {
      'package.json': { devDependencies: { 'fast-check': '1' } },
      'packages/core/src/a.ts': "import fc from 'fast-check'\n",
    },
    'packages/core/src/a.ts: fast-check is not declared in packages/core/package.json',
  ],
  [
    'Node where there may be none',
    { 'packages/core/src/a.ts': "import { readFile } from 'node:fs'\n" },
    'packages/core/src/a.ts: core runs without Node and cannot import node:fs',
  ],
  [
    'a circle, of types too',
    { 'packages/core/src/a.ts': "import type { B } from './b.ts'\n", 'packages/core/src/b.ts': "import './a.ts'\n" },
    'imports in a circle: packages/core/src/a.ts → packages/core/src/b.ts → packages/core/src/a.ts',
  ],
  [
    'an inner folder that imports the outermost',
    { 'packages/server/src/scheduling/a.ts': "import '../http/b.ts'\n", 'packages/server/src/http/b.ts': '' },
    'packages/server/src/scheduling/a.ts: scheduling must not import http, which is further out',
  ],
  [
    'the innermost folder that imports another',
    { 'packages/server/src/db/a.ts': "export { b } from '../results/b.ts'\n", 'packages/server/src/results/b.ts': '' },
    'packages/server/src/db/a.ts: db must not import results, which is further out',
  ],
  [
    'a file other than the entry that imports the outermost folder',
    { 'packages/server/src/config.ts': "const b = await import('./http/b.ts')\n", 'packages/server/src/http/b.ts': '' },
    'packages/server/src/config.ts: only server.ts imports http',
  ],
  [
    'areas of pages that import each other',
    { 'packages/web/src/pages/checks/a.tsx': "import '../alerts/b.tsx'\n", 'packages/web/src/pages/alerts/b.tsx': '' },
    'packages/web/src/pages/checks/a.tsx: pages/checks must not import pages/alerts',
  ],
]
for (const [name, tree, problem] of violations) {
  test(`${name} is refused`, (t) => {
    assert.deepEqual(problemsOf(t, tree), [problem])
  })
}

test('imports in comments and in quoted scripts are none', () => {
  const source = [
    "import {\n  a,\n  b,\n} from './ab.ts'",
    "// import './comment.ts'",
    "const script = `\nimport './script.ts'\n`",
    "export type { C } from './c.ts'",
    "export const d = 'from'",
  ].join('\n')
  assert.deepEqual(importsOf(source), [
    { from: './ab.ts', isType: false },
    { from: './c.ts', isType: true },
  ])
})
