/** Public pages: made anew from the database, and answered from the copy of some seconds ago. */
import { type AnswerOf, type BodyOf, type Route, routes } from '../packages/schema/src/index.ts'
import { apiCheck } from './bench-checks.ts'
import { fillResults, fillRollUps } from './fill.ts'
import { API_KEY, addChecks, type Installation } from './installation.ts'
import { IS_SMOKE } from './pace.ts'
import type { Row } from './table.ts'
import { showTimes, timeCalls } from './timing.ts'

const CHECKS = 100
const RESULTS_A_CHECK = IS_SMOKE ? 300 : 30_000
const SERVICES = 10
const INCIDENTS = IS_SMOKE ? 5 : 50
/** More than there are calls: each is asked for once. */
const PAGES = IS_SMOKE ? 320 : 500
const CALLS = IS_SMOKE ? 10 : 180
const COPIED_CALLS = IS_SMOKE ? 50 : 5000
/** What people expect of a page, with room for the way to them. */
const BUDGET_MS = 50

export async function benchPages(installation: Installation): Promise<Row[]> {
  await addChecks(installation, apiCheck('http', 9), CHECKS)
  // It is reading that is measured: nothing runs meanwhile.
  await installation.pool.query(`update schedule set due_at = now() + interval '1 day'`)
  await fillResults(installation, RESULTS_A_CHECK, 1)
  await fillRollUps(installation, RESULTS_A_CHECK)
  await installation.pool.query(`update tasks set due_at = now() + interval '1 day' where name = 'roll-ups'`)
  await installation.pool.query('update check_states set updated_at = now(), run_count = 1')
  await installation.pool.query('vacuum analyze')
  await addStatusPages(installation)
  await addDashboards(installation)
  return [
    ...(await rowsOf(installation, `Status page of ${SERVICES} services and ${INCIDENTS} incidents`, '/status/bench-')),
    ...(await rowsOf(installation, `Dashboard of ${CHECKS} checks, 15 a page`, '/dashboard/bench-')),
  ]
}

async function rowsOf(installation: Installation, what: string, path: string): Promise<Row[]> {
  let asked = 0
  const anew = await timeCalls(installation, () => `${path}${asked++}`, CALLS)
  const copied = await timeCalls(installation, () => `${path}0`, COPIED_CALLS)
  const aSecond = (ms: number) => `${Math.round(1000 / ms)} a second of one core`
  return [
    {
      figure: `${what}, made anew`,
      budget: `p99 ≤ ${BUDGET_MS} ms`,
      measured: `${showTimes(anew)}: ${aSecond(anew.cpu)}`,
      met: anew.p99 <= BUDGET_MS,
    },
    {
      figure: `${what}, from its copy`,
      budget: '–',
      measured: `${showTimes(copied)}: ${aSecond(copied.cpu)}`,
      met: true,
    },
  ]
}

async function addStatusPages(installation: Installation): Promise<void> {
  const ids: string[] = []
  for (let number = 0; number < SERVICES; number += 1)
    ids.push((await post(installation, routes.createStatusPageService, { name: `Service ${number}` })).id)
  for (let number = 0; number < INCIDENTS; number += 1) {
    const begunMs = Date.now() - (number + 1) * 43_200_000
    const at = (ms: number) => new Date(ms).toISOString()
    const { id: incidentId } = await post(installation, routes.createStatusPageIncident, {
      name: `Incident ${number}`,
      severity: 'MINOR',
      services: [{ id: ids[number % SERVICES] ?? '' }],
      incidentUpdates: [{ status: 'INVESTIGATING', description: 'We look.', publicIncidentUpdateDate: at(begunMs) }],
    })
    const over = {
      status: 'RESOLVED' as const,
      description: 'It is over.',
      publicIncidentUpdateDate: at(begunMs + 3_600_000),
    }
    await post(installation, routes.createIncidentUpdate, over, { incidentId })
  }
  for (let number = 0; number < PAGES; number += 1)
    await post(installation, routes.createStatusPage, {
      name: 'Bench',
      url: `bench-${number}`,
      cards: [{ name: 'All', services: ids.map((id) => ({ id })) }],
    })
}

async function addDashboards(installation: Installation): Promise<void> {
  for (let number = 0; number < PAGES; number += 1)
    await post(installation, routes.createDashboard, { header: 'Bench', customUrl: `bench-${number}` })
}

async function post<R extends Route>(
  { url }: Installation,
  route: R,
  body: BodyOf<R>,
  params: Record<string, string> = {},
): Promise<AnswerOf<R>> {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? '')
  const response = await fetch(url + path, {
    method: route.method,
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${route.path}: ${response.status} ${text}`)
  return JSON.parse(text)
}
