/**
 * With the whole product, a script that is run in a copy of a process waits for its target while what it hangs on is killed:
 * the template, the runner, the server. No target is blamed, nothing of the run stays, and scripts go on, forked in the end.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type CheckResult, type MultiStepCheck, routes } from '@vedette/schema'
import { canForkHere } from '../../packages/runner/src/playwright/runtimes.ts'
import { ScriptHost } from '../../packages/runner/src/scripts/script-host.ts'
import { portOf } from '../../packages/runner/src/testing/builders.ts'
import { forkingProcessesOf } from '../../packages/runner/src/testing/leftovers.ts'
import { until as untilWithin } from '../start-vedette.ts'
import { Api } from './api.ts'
import { Installation, processes } from './installation.ts'
import { allResults } from './load.ts'

const PLACE = 'eu-west-1' as const
/** However busy the machine is. */
const WITHIN_MS = 120_000

test('what is killed under a forked run blames no target, leaves nothing, and is made up for', async (t) => {
  const why = await whyNot()
  if (why !== null) return t.skip(why)
  const target = await startTarget(t)
  const installation = await Installation.start(t, { SCRIPT_ENGINE: 'forked', LOCATIONS: PLACE })
  const api = new Api(installation.url, installation.apiKey)
  const check = await api.call(routes.createMultiStepCheck, { body: checkOf(target.url) })
  if (!(await untilForked(installation, api, check))) return t.skip(notForked(installation) ?? '')
  await until('the runner tells that it forks', async () => (await engineTold(api)) === 'forked')

  const told: string[] = []
  const strike = async (name: string, kill: (found: Family) => Promise<void>) => {
    target.hold()
    const session = await begin(api, check)
    await until('the target is asked', () => target.asked > 0)
    const found = await family(installation)
    assert.ok(found.copies.length > 0, 'the run is forked')
    const startedAt = performance.now()
    await kill(found)
    target.release()
    await until('the session is over', async () => (await stateOf(api, session)) !== null)
    assert.equal(await stateOf(api, session), 'PASSED')
    await until('nothing of it is left', () => !existsSync(found.folder))
    assert.ok(await untilForked(installation, api, check), notForked(installation) ?? '')
    told.push(`${name}: forked again after ${Math.round(performance.now() - startedAt)} ms`)
  }

  await strike('template killed', async ({ template, below }) => {
    process.kill(template, 'SIGKILL')
    await untilGone(below)
  })
  await strike('runner and server killed', async ({ runner, all }) => {
    process.kill(runner, 'SIGKILL')
    await installation.killServer()
    await untilGone([runner, ...all])
    await installation.startServer()
  })

  const results = await allResults(api, check.id)
  t.diagnostic(`${told.join('; ')}; ${results.length} results, ${results.filter(inError).length} in error`)
  assert.deepEqual(
    results.filter(({ hasFailures }) => hasFailures).map(({ errorMessage }) => errorMessage),
    [],
  )
  for (const result of results.filter(inError)) assert.match(result.errorMessage ?? '', /its process was lost/)
  assert.deepEqual(api.broken, [])
})

const until = (what: string, condition: () => unknown) => untilWithin(what, condition, WITHIN_MS)
const inError = ({ hasErrors }: CheckResult) => hasErrors

/** Null: scripts can be forked here, as far as can be told before it is tried. */
async function whyNot(): Promise<string | null> {
  if (!canForkHere()) return 'this Node.js is not known to bear being forked'
  const lines: string[] = []
  const level = await new ScriptHost({ log: (_, line) => lines.push(line), allowReduced: false }).level()
  return level === 'strict' ? null : lines.join('; ')
}

/** Answers at once, or when it is told to. */
async function startTarget(t: TestContext) {
  const waiting: ServerResponse[] = []
  let isHeld = false
  const server = createServer((_, response) => {
    if (isHeld) waiting.push(response)
    else response.end('well')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${portOf(server)}/`,
    get asked() {
      return waiting.length
    },
    hold() {
      isHeld = true
    },
    release() {
      isHeld = false
      for (const response of waiting.splice(0)) response.end('well')
    },
  }
}

function checkOf(url: string) {
  const script = `import { expect, test } from '@playwright/test'
test('the shop answers', async ({ request }) => {
  const answer = await request.get('${url}')
  expect(await answer.text()).toBe('well')
})`
  return { name: 'Shop', script, locations: [PLACE], frequency: 720 as const, retryStrategy: null }
}

async function begin(api: Api, { id }: MultiStepCheck): Promise<string> {
  const { sessions } = await api.call(routes.triggerSessionsV2, { body: { target: { checkId: id } } })
  return sessions[0]?.checkSessionId ?? assert.fail('no session was started')
}

/** Null while it is not over. */
async function stateOf(api: Api, checkSessionId: string): Promise<string | null> {
  const session = await api.call(routes.getSessionV2, { params: { checkSessionId } })
  return session.stoppedAt === null ? null : session.status
}

/** Runs it until that is done in a copy. False: that has been given up. */
async function untilForked(installation: Installation, api: Api, check: MultiStepCheck): Promise<boolean> {
  for (;;) {
    const session = await begin(api, check)
    await until('a run is over', async () => (await stateOf(api, session)) !== null)
    const { results } = await api.call(routes.getSessionV2, { params: { checkSessionId: session } })
    const checkResultId = results?.[0]?.checkResultId ?? assert.fail('there is no result')
    const result = await api.call(routes.getCheckResult, { params: { checkId: check.id, checkResultId } })
    assert.deepEqual([result.hasFailures, result.hasErrors], [false, false], result.errorMessage ?? '')
    if (result.multiStepCheckResult?.runtime.engine === 'forked') return true
    if (notForked(installation) !== null) return false
  }
}

const notForked = ({ server }: Installation) => /scripts are not forked: .*/.exec(server.output())?.[0] ?? null

async function engineTold(api: Api): Promise<string | undefined> {
  const places = await api.call(routes.listLocations)
  return places.find(({ region }) => region === PLACE)?.scripts?.runtimes[0]?.engine
}

interface Family {
  runner: number
  /** All that the runner has started, and what that has. */
  all: number[]
  template: number
  /** With it. */
  below: number[]
  copies: number[]
  /** Of all runs that are forked. */
  folder: string
}

async function family(installation: Installation): Promise<Family> {
  const runner = (await installation.runnerPid()) ?? assert.fail('there is no runner')
  const running = await processes()
  const below = (pid: number): number[] =>
    running.filter(({ parent }) => parent === pid).flatMap((child) => [child.pid, ...below(child.pid)])
  const all = below(runner)
  const { templates, copies } = forkingProcessesOf('vedette-runs-')
  const template = templates.find((pid) => all.includes(pid)) ?? assert.fail('there is no template')
  const name = /vedette-runs-\w{6}/.exec(readFileSync(`/proc/${template}/mountinfo`, 'utf8'))?.[0]
  return {
    ...{ runner, all, template, below: [template, ...below(template)] },
    copies: copies.filter((pid) => all.includes(pid)),
    folder: join(tmpdir(), name ?? assert.fail('it has no folder')),
  }
}

async function untilGone(pids: readonly number[]): Promise<void> {
  await until(`${pids.join(', ')} are gone`, async () => !(await processes()).some(({ pid }) => pids.includes(pid)))
}
