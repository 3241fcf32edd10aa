/** Scripts of Playwright that do everything wrong: each ends in time with a reason, reaches nothing, and leaves nothing. */
import assert from 'node:assert/strict'
import dgram from 'node:dgram'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import { type TestContext, test } from 'node:test'
import { egressPolicy } from '@vedette/core'
import { ISOLATION_LEVELS, type IsolationLevel } from '@vedette/schema'
import { ScriptHost } from '../scripts/script-host.ts'
import { listen, portOf, runContext } from '../testing/builders.ts'
import { filesLeft, ownTemporaryFolder, playwrightProcessesLeft, playwrightProcessesOf } from '../testing/leftovers.ts'
import { fileOf, type Probe, pageProbes, probes, type Ruin, ruins } from '../testing/script-attacks.ts'
import type { PlaywrightJob } from './job.ts'
import { type PlaywrightEnd, PlaywrightHost } from './playwright-host.ts'
import { jobOf } from './run-files.ts'

const MEBIBYTE = 1024 * 1024
const CANARY = 'canary-of-the-runner'
const SECRET = 'SECRET-OF-ANOTHER'
/** For those that come to their end, however busy the machine is. */
const PATIENT_MS = 120_000
/** A browser has to be there before something can be done to it. */
const LIMITS_MS = { page: 3000, request: 1000 }
const recording = { trace: 'off', video: 'off', screenshot: 'off' } as const

const jobFor = (script: string, limitMs: number): PlaywrightJob =>
  jobOf({
    settings: { script, scriptPath: 'attack.spec.js', dependencies: [] },
    variables: [{ key: 'MINE', value: 'mine', hidden: false }],
    ...{ snippets: [], recording, limitMs },
  })

/** What must not be reached, and counts how often it was. */
async function machine(t: TestContext, folder: string) {
  let reached = 0
  const port = await listen(t, (socket) => {
    reached += 1
    socket.end()
  })
  const datagrams = dgram.createSocket('udp4').bind(port, '127.0.0.1')
  datagrams.on('message', () => {
    reached += 1
  })
  const redirecting = http.createServer((_, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  )
  await once(redirecting.listen(0, '127.0.0.2'), 'listening')
  const path = `${folder}/attack.sock`
  const servers = [path, `\0vedette-attack-${port}`].map((at) => net.createServer().listen(at))
  fs.chmodSync(path, 0o777)
  t.after(() => {
    for (const server of [...servers, redirecting, datagrams]) server.close()
  })
  const words = { PORT: port, SOCKET: path, RUNNER: process.pid, REDIRECT: portOf(redirecting), CANARY }
  return {
    reached: () => reached,
    textOf: (script: string) =>
      Object.entries(words).reduce((text, [word, is]) => text.replaceAll(word, String(is)), script),
  }
}

const isKeptOff = (level: IsolationLevel, { from }: Probe | Ruin) =>
  from === undefined || ISOLATION_LEVELS.indexOf(level) <= ISOLATION_LEVELS.indexOf(from)

const howEnded = ({ problem, run }: PlaywrightEnd) => problem?.text ?? run.status

const ways = [
  ...ISOLATION_LEVELS.map((level) => ({ level, engine: 'warm' as const })),
  { level: 'strict', engine: 'forked' },
] as const

for (const { level, engine } of ways) {
  // Ruins end in processes of the same kind, whatever started them.
  const isWhole = level === 'strict' && (engine === 'warm' || process.env.CONFORMANCE === 'long')
  const which = engine === 'forked' ? ' in forked processes' : ''
  test(`scripts of Playwright are contained at the level "${level}"${which}`, { concurrency: 2 }, async (t) => {
    const folder = ownTemporaryFolder(t)
    const lines: string[] = []
    const log = (_: string, line: string) => lines.push(line)
    const scripts = new ScriptHost({ log, allowReduced: true, level })
    if ((await scripts.level()) === null) return t.skip(lines.join('; '))
    const { reached, textOf } = await machine(t, folder)
    process.env.VEDETTE_ATTACK = CANARY
    t.after(() => delete process.env.VEDETTE_ATTACK)
    const { dialer } = runContext({ egress: egressPolicy('check-private-location', { allow: ['127.0.0.2/32'] }) })
    const shared = { log, scripts, dialer, concurrency: 3, engine }
    const host = new PlaywrightHost(shared)
    const limited = new PlaywrightHost({ ...shared, limits: { bytes: 400 * MEBIBYTE, tasks: 200, processors: 2 } })
    t.after(() => Promise.all([host.close(), limited.close()]))
    const hasBrowser = (await host.browser('2025.04')) !== null
    let templates = 0
    if (engine === 'forked') {
      const kinds = (hasBrowser ? [true, false] : [false]).map(
        (hasPages) => ({ runtimeId: '2025.04', hasPages }) as const,
      )
      const forks = await Promise.all(kinds.map((kind) => limited.forks(kind)))
      if (forks.includes(false)) return t.skip(lines.join('; '))
      templates = playwrightProcessesOf(folder).length
    }
    // Each host has templates of its own.
    const usual = engine === 'forked' ? limited : host
    const run = (script: string, hasPages: boolean, limitMs: number, on = usual) =>
      on.run({ runtimeId: '2025.04', hasPages }, jobFor(textOf(script), limitMs))

    const tryAll = (what: readonly Probe[], fixture: 'request' | 'page') =>
      t.test(`${fixture === 'page' ? 'with' : 'without'} pages`, async () => {
        const tried = what.filter(
          (probe) => isKeptOff(level, probe) && (process.arch === 'x64' || probe.isOfX64 !== true),
        )
        const [end] = await Promise.all([
          run(fileOf(tried, fixture), fixture === 'page', PATIENT_MS),
          run(
            `const { test } = require('@playwright/test'); process.env.OTHER = '${SECRET}'; test('waits', async () => { await new Promise((resolve) => setTimeout(resolve, 500)) })`,
            false,
            PATIENT_MS,
          ),
        ])
        assert.equal(end.problem, null)
        assert.equal(end.run.runtime.engine, engine)
        const found = (title: string) =>
          end.run.tests.find((one) => one.title.at(-1) === title)?.annotations.find(({ type }) => type === 'found')
        assert.deepEqual(
          tried.map(({ name }) => [name, found(name)?.description ?? end.run.errors[0]?.message]),
          tried.map(({ name, finds }) => [name, finds]),
        )
        assert.ok(!JSON.stringify(end.run).includes(CANARY))
        for (const { content } of end.files) assert.ok(!Buffer.from(content).includes('root:'))
      })

    const ruined = (ruin: Ruin) =>
      t.test(ruin.name, async () => {
        const { script, hasPages = false, ends, tells } = ruin
        const waits = /not done|interrupted/.test(ends.source)
        const end = await run(script, hasPages, waits ? LIMITS_MS[hasPages ? 'page' : 'request'] : PATIENT_MS, limited)
        // On a busy machine the limit may come before the attack does, or its evidence too late.
        const how = howEnded(end)
        if (!(waits && /^interrupted$|not done within/.test(how)))
          assert.match(how, ends, `${how}: ${JSON.stringify(end.run.errors)}`)
        // A machine that is busy with other things may keep it from its time, and says so.
        if (!/ for a processor$/.test(how)) assert.notEqual(end.problem?.ours, true)
        assert.ok(end.run.tests.length <= 500)
        if (tells !== undefined) assert.match(JSON.stringify(end.run), tells)
      })

    const chosen = ruins
      .filter((ruin) => isKeptOff(level, ruin) && (isWhole || ruin.everywhere === true))
      .filter(({ hasPages }) => hasPages !== true || hasBrowser)
    if (isWhole) assert.ok(probes.length + pageProbes.length + chosen.length >= 40)
    await Promise.all([
      tryAll(probes, 'request'),
      ...(hasBrowser && level !== 'reduced' ? [tryAll(pageProbes, 'page')] : []),
      ...chosen.map(ruined),
    ])
    const before = performance.now()
    await playwrightProcessesLeft(folder, templates)
    t.diagnostic(`${Math.round(performance.now() - before)} ms after the last of them nothing ran any more`)
    await Promise.all([host.close(), limited.close()])
    await playwrightProcessesLeft(folder, 0)
    assert.equal(reached(), 0)
    assert.deepEqual(filesLeft(folder), ['attack.sock'])
  })
}
