/** Which of the operations that clients of this family of APIs use are served, and which are not. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asJson } from '../../packages/server/src/http/describe/json.ts'
import type { ApiDocument, Operation } from './document.ts'
import { table } from './fields.ts'
import { fileOf, joined } from './reference.ts'

const DATA = 'docs/api-coverage.json'
const MADE = `<!-- Made by \`npm run docs\` from the routes and ${DATA}. -->`

interface Expected {
  area: string
  operation: string
  standing: string
}

interface Coverage {
  expected: Expected[]
  /** The beginning of a path, and why nothing is served there. */
  absent: [start: string, why: string][]
}

export function coveragePage({ operations }: ApiDocument, root: string): string {
  const { expected, absent } = readCoverage(root)
  const served = new Map(operations.map((operation) => [shapeOf(`${operation.method} ${operation.path}`), operation]))
  const standings = new Map(expected.map(({ operation, standing }) => [shapeOf(operation), standing]))
  const missing = expected.filter(({ operation }) => !served.has(shapeOf(operation)))
  const extensions = operations.filter(({ method, path }) => !standings.has(shapeOf(`${method} ${path}`)))
  const count = (standing: string) => {
    const all = expected.filter((entry) => entry.standing === standing)
    const open = missing.filter((entry) => entry.standing === standing)
    return [standing, String(all.length - open.length), String(all.length)]
  }
  const lines = operations.map((operation) => {
    const standing = standings.get(shapeOf(`${operation.method} ${operation.path}`)) ?? 'extension of our own'
    return [linkTo(operation), operation.tag, operation.isDeprecated ? `${standing}, deprecated` : standing]
  })
  return joined(
    MADE,
    '# API coverage',
    'Which operations Vedette serves of those that clients of this family of APIs use. *Specified* operations have a prescribed shape, *common practice* is what existing clients rely on besides, *optional* is what some services of this sort have and most clients do without.',
    table(['Standing', 'Served', 'Of'], [count('specified'), count('common practice'), count('optional')]),
    `${extensions.length} operations are extensions of our own: what the web application, runners and operators need.`,
    '## Served',
    table(['Operation', 'Area', 'Standing'], lines),
    '## Not there',
    table(
      ['Operation', 'Area', 'Standing', 'Why'],
      missing.map(({ area, operation, standing }) => [
        `\`${operation}\``,
        area,
        standing,
        whyAbsent(operation, absent),
      ]),
    ),
  )
}

function linkTo({ id, method, path, tag }: Operation): string {
  return `[\`${method} ${path}\`](api/${fileOf(tag)}#${id})`
}

function whyAbsent(operation: string, absent: Coverage['absent']): string {
  const path = operation.slice(operation.indexOf(' ') + 1)
  const reasons = absent.filter(([start]) => path === start || path.startsWith(`${start}/`))
  return reasons.toSorted(([a], [b]) => b.length - a.length)[0]?.[1] ?? 'Not in this version.'
}

/** What parameters are called makes no difference. */
function shapeOf(operation: string): string {
  return operation.replaceAll(/\{\w+\}/g, '{}')
}

function readCoverage(root: string): Coverage {
  const data = asJson(JSON.parse(readFileSync(join(root, DATA), 'utf8')))
  return {
    expected: Object.entries(asJson(data.operations)).flatMap(([area, operations]) =>
      Object.entries(asJson(operations)).map(([operation, standing]) => ({
        area,
        operation,
        standing: String(standing),
      })),
    ),
    absent: Object.entries(asJson(data.absent)).map(([start, why]) => [start, String(why)]),
  }
}
