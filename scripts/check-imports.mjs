// Checks that imports point one way: between packages, between the folders of a package, and never in a circle.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Which of our packages a package may import. */
const packageMayImport = {
  schema: [],
  core: ['schema'],
  runner: ['core', 'schema'],
  server: ['core', 'schema'],
  web: ['schema'],
  cli: ['server', 'runner', 'core', 'schema'],
}

/** Packages that run anywhere, and so know nothing of Node. */
const withoutNode = ['schema', 'core', 'web']

/**
 * The rings of a package, outermost first: a folder imports its own ring and those further in. Folders that are not
 * named are in the ring `rest`. The outermost is imported by `entries` alone.
 */
const rings = {
  server: { order: [['http'], ['pages'], ['rest'], ['mail'], ['db']], entries: ['server.ts'] },
  web: { order: [['app'], ['pages'], ['rest', 'components', 'api']], entries: ['main.tsx', 'main.ts'] },
}

/** Folders whose subfolders do not import each other. */
const apart = { web: ['pages'] }

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = checkImports(dirname(dirname(fileURLToPath(import.meta.url))))
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exit(1)
}

/** Says what is wrong, a line each. */
export function checkImports(root) {
  const files = listFiles(root)
  const manifests = new Map()
  const manifestOf = (directory) => {
    if (!manifests.has(directory)) manifests.set(directory, readManifest(join(root, directory, 'package.json')))
    return manifests.get(directory)
  }

  const problems = []
  const graph = new Map()
  for (const file of files) {
    const targets = []
    for (const statement of importsOf(readFileSync(join(root, file.path), 'utf8'))) {
      const say = (text) => problems.push(`${file.path}: ${text}`)
      if (statement.from.startsWith('.')) {
        const target = relative(root, resolve(root, dirname(file.path), statement.from))
          .split(sep)
          .join('/')
        targets.push(target)
        checkRelative(file, target, statement.from, say)
      } else if (statement.from.startsWith('node:')) {
        if (withoutNode.includes(file.pkg) && !file.isTest)
          say(`${file.pkg} runs without Node and cannot import ${statement.from}`)
      } else if (!statement.from.startsWith('#')) {
        checkPackage(file, statement, manifestOf(file.home), manifestOf('.'), say)
      }
    }
    graph.set(file.path, targets)
  }
  return [...problems, ...findCycles(graph)]
}

function checkRelative(file, target, from, say) {
  if (!file.pkg) return // `tests` and `bench` look at packages from outside, and may look inside
  if (homeOf(target).pkg !== file.pkg) return say(`${from} leads out of the package: import others by their names`)
  checkRings(file, placeOf(target), say)
  for (const folder of apart[file.pkg] ?? []) {
    const [ours, theirs] = [areaOf(file.path, folder), areaOf(target, folder)]
    if (ours && theirs && ours !== theirs) say(`${folder}/${ours} must not import ${folder}/${theirs}`)
  }
}

function checkRings(file, target, say) {
  const rules = rings[file.pkg]
  if (!rules || file.isTest) return
  const here = placeOf(file.path)
  const ringOf = (folder) => {
    const index = rules.order.findIndex((ring) => ring.includes(folder))
    return index === -1 ? rules.order.findIndex((ring) => ring.includes('rest')) : index
  }
  if (target.folder === undefined) return // files beside the folders are for everyone, if they make no circle
  if (here.folder === undefined) {
    const isOutermost = ringOf(target.folder) === 0
    if (isOutermost && !rules.entries.includes(here.rest)) say(`only ${rules.entries[0]} imports ${target.folder}`)
  } else if (ringOf(target.folder) < ringOf(here.folder)) {
    say(`${here.folder} must not import ${target.folder}, which is further out`)
  }
}

function checkPackage(file, { from, isType }, own, top, say) {
  const name = from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/')
  const ours = /^@vedette\/(.+)$/.exec(name)?.[1]
  if (ours && ours === file.pkg) return say(`${from} is this package itself: import the file`)
  if (ours && file.pkg && !packageMayImport[file.pkg]?.includes(ours)) return say(`${file.pkg} must not import ${ours}`)
  if (ours && !file.pkg) return
  const declared =
    name in own.dependencies ||
    ((file.isTest || isType) && (name in own.devDependencies || name in top.devDependencies)) ||
    (!file.pkg && name in top.dependencies)
  if (!declared) say(`${name} is not declared in ${file.home === '.' ? '' : `${file.home}/`}package.json`)
}

/** Every circle of files once, types included. */
function findCycles(graph) {
  const problems = []
  const state = new Map()
  const path = []
  const visit = (file) => {
    state.set(file, 'open')
    path.push(file)
    for (const target of graph.get(file) ?? []) {
      if (state.get(target) === 'open') {
        const circle = [...path.slice(path.indexOf(target)), target]
        problems.push(`imports in a circle: ${circle.join(' → ')}`)
      } else if (!state.has(target) && graph.has(target)) visit(target)
    }
    path.pop()
    state.set(file, 'done')
  }
  for (const file of graph.keys()) if (!state.has(file)) visit(file)
  return problems
}

/** The import and re-export statements of a source text that is formatted by our formatter. */
export function importsOf(source) {
  const code = source.replace(
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|`(?:\\[\s\S]|[^`\\])*`|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g,
    (text) => (/^['"]/.test(text) ? text : ' '),
  )
  const found = []
  for (const [, keyword, clause, from] of code.matchAll(/^(import|export)\b([^'"=]*?)['"]([^'"\n]+)['"]/gm)) {
    if (keyword === 'import' ? clause.trim() === '' || /\bfrom\s*$/.test(clause) : /[}*\w]\s*from\s*$/.test(clause)) {
      found.push({ from, isType: /^\s+type\b/.test(clause) })
    }
  }
  for (const [, from] of code.matchAll(/\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g)) found.push({ from, isType: false })
  return found
}

function listFiles(root) {
  const packages = existsSync(join(root, 'packages')) ? readdirSync(join(root, 'packages')).sort() : []
  const folders = [...packages.map((name) => `packages/${name}/src`), 'tests', 'bench', 'scripts']
  return folders.flatMap((folder) =>
    sourcesBelow(root, folder).map((path) => ({ path, ...homeOf(path), isTest: isTest(path) })),
  )
}

function sourcesBelow(root, folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder))
    .sort()
    .flatMap((name) => {
      const path = `${folder}/${name}`
      // A corpus is scripts of users, some of them broken on purpose.
      if (name === 'node_modules' || name === 'dist' || name === 'corpus') return []
      if (statSync(join(root, path)).isDirectory()) return sourcesBelow(root, path)
      return /\.(ts|tsx)$/.test(name) ? [path] : []
    })
}

/** Tests, and what only tests use. */
function isTest(path) {
  return /\.(test|fixture)\.tsx?$/.test(path) || path.includes('/src/testing/') || /^(tests|bench|scripts)\//.test(path)
}

function homeOf(path) {
  const name = /^packages\/([^/]+)\//.exec(path)?.[1]
  return name ? { pkg: name, home: `packages/${name}` } : { pkg: undefined, home: '.' }
}

/** The first folder below `src`, if any, and what follows. */
function placeOf(path) {
  const below = path.replace(/^packages\/[^/]+\/src\//, '')
  const slash = below.indexOf('/')
  return slash === -1
    ? { folder: undefined, rest: below }
    : { folder: below.slice(0, slash), rest: below.slice(slash + 1) }
}

function areaOf(path, folder) {
  const { folder: first, rest } = placeOf(path)
  return first === folder && rest.includes('/') ? rest.slice(0, rest.indexOf('/')) : undefined
}

function readManifest(path) {
  const manifest = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  return {
    dependencies: { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies },
    devDependencies: manifest.devDependencies ?? {},
  }
}
