/** Scripts that do everything wrong: each ends in time with a reason, reaches nothing, and leaves nothing behind. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import { test } from 'node:test'
import { egressPolicy } from '@vedette/core'
import { ISOLATION_LEVELS } from '@vedette/schema'
import { type Attack, attacks, jobOf } from '../testing/attacks.ts'
import { listen, portOf, runContext } from '../testing/builders.ts'
import { filesLeft, ownTemporaryFolder, processesLeft } from '../testing/leftovers.ts'
import { ScriptHost } from './script-host.ts'

const LIMIT_MS = 2000
const CANARY = 'canary-of-the-runner'
const SECRET = 'canary-of-another-check'
const FRIENDLY = 'await new Promise((resolve) => setTimeout(resolve, 300)); request.body = process.env.OTHER.length'

for (const level of ISOLATION_LEVELS) {
  test(`scripts are contained at the level "${level}"`, { concurrency: 3 }, async (t) => {
    const folder = ownTemporaryFolder(t)
    const lines: string[] = []
    const hostWith = (limitMs: number) =>
      new ScriptHost({ log: (_, line) => lines.push(line), allowReduced: true, level, limitMs })
    const host = hostWith(LIMIT_MS)
    // For those that end by themselves, however busy the machine is.
    const patient = hostWith(60_000)
    if ((await host.level()) === null) return t.skip(lines.join('; '))
    let reached = 0
    const port = await listen(t, (socket) => {
      reached += 1
      socket.end()
    })
    const redirecting = http.createServer((_, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    )
    await once(redirecting.listen(0, '127.0.0.2'), 'listening')
    const path = `${folder}/attack.sock`
    const servers = [path, `\0vedette-attack-${port}`].map((at) => net.createServer().listen(at))
    fs.chmodSync(path, 0o777)
    t.after(() => {
      for (const server of [...servers, redirecting]) server.close()
    })
    process.env.VEDETTE_ATTACK = CANARY
    const { dialer } = runContext({ egress: egressPolicy('check-private-location', { allow: ['127.0.0.2/32'] }) })
    const textOf = ({ script }: Attack) =>
      script
        .replaceAll('PORT', String(port))
        .replaceAll('SOCKET', path)
        .replaceAll('RUNNER', String(process.pid))
        .replaceAll('REDIRECT', String(portOf(redirecting)))
    const offered = attacks.filter(
      ({ from }) => from === undefined || ISOLATION_LEVELS.indexOf(level) <= ISOLATION_LEVELS.indexOf(from),
    )
    assert.ok(offered.length >= 60)
    const tried = offered.map((attack) => {
      const { name, ends, finds, logs, atOthers } = attack
      return t.test(name, async () => {
        const [end, beside] = await Promise.all([
          (ends?.source.includes('not done') ? host : patient).run(jobOf(textOf(attack)), dialer),
          atOthers === true ? patient.run(jobOf(FRIENDLY, { OTHER: SECRET }), dialer) : null,
        ])
        assert.ok(end !== null)
        if (finds !== undefined) assert.equal('done' in end ? end.done.request.body : end.problem, finds)
        else {
          assert.match('problem' in end ? end.problem : 'it came to its end', ends ?? /never/)
          // Nobody is to blame for what a busy machine did not let them do.
          assert.equal('problem' in end && end.ours, 'problem' in end && /for a processor$/.test(end.problem))
        }
        if (logs !== undefined) assert.match(JSON.stringify(end.log), logs)
        for (const canary of [CANARY, SECRET]) assert.ok(!JSON.stringify(end).includes(canary))
        if (beside !== null)
          assert.equal('done' in beside ? beside.done.request.body : beside.problem, String(SECRET.length))
      })
    })
    await Promise.all(tried)
    assert.equal(reached, 0)
    await processesLeft(folder, 0)
    assert.deepEqual(filesLeft(folder), ['attack.sock'])
    assert.deepEqual(
      fs.readdirSync('/tmp').filter((file) => /^vedette-attack/.test(file)),
      [],
    )
  })
}
