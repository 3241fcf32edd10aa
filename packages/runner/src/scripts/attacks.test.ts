/** Scripts that do everything wrong: each ends in time with a reason, reaches nothing, and leaves nothing behind. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import net from 'node:net'
import { test } from 'node:test'
import { egressPolicy } from '@vedette/core'
import { listen, runContext } from '../testing/builders.ts'
import { ISOLATION_LEVELS, type IsolationLevel } from './isolation.ts'
import { ScriptHost } from './script-host.ts'
import type { ScriptJob } from './script-job.ts'

const LIMIT_MS = 3000
const CANARY = 'canary-of-the-runner'

const job = (script: string): ScriptJob => ({
  script,
  snippets: [],
  variables: { MINE: 'mine' },
  request: { method: 'GET', url: 'http://h/', body: '', headers: {}, queryParameters: {} },
  response: null,
})

interface Attack {
  name: string
  script: string
  /** Why it did not come to its end; for those that do, what they found out. */
  ends?: RegExp
  finds?: string
  logs?: RegExp
  /** Only kept off where there are namespaces, or an empty root. */
  from?: Exclude<IsolationLevel, 'reduced'>
}

const builtIn = (name: string) => `process.getBuiltinModule('${name}')`
/** Tells whether something could be done. */
const tries = (what: string) =>
  `request.body = 'done'; try { await (async () => { ${what} })() } catch (error) { request.body = 'refused' }`
const dials = (options: string) =>
  `request.body = await new Promise((resolve) => { const socket = ${builtIn('net')}.connect(${options});
   socket.once('connect', () => resolve('connected')); socket.once('error', () => resolve('refused')) })`

const attacks: Attack[] = [
  { name: 'endless loop', script: 'for (;;);', ends: /not done within/ },
  { name: 'endless loop of promises', script: 'for (;;) await null', ends: /not done within/ },
  { name: 'promise that never settles', script: 'await new Promise(() => {})', ends: /waits for something/ },
  { name: 'timer without end', script: 'await new Promise(() => setInterval(() => {}, 10))', ends: /not done within/ },
  { name: 'clock replaced', script: 'Date.now = () => NaN; globalThis.setTimeout = null; for (;;);', ends: /not done/ },
  { name: 'catastrophic pattern', script: '/^(a+)+$/.test("a".repeat(60) + "!")', ends: /not done within/ },
  { name: 'exit 0', script: 'process.exit(0)', ends: /without a result \(exit code 0\)/ },
  { name: 'exit 42', script: 'process.exit(42)', ends: /without a result \(exit code 42\)/ },
  { name: 'abort', script: 'process.abort()', ends: /without a result/ },
  {
    name: 'kills itself',
    script: 'process.kill(process.pid, "SIGKILL"); for (;;);',
    ends: /without a result|not done/,
  },
  { name: 'stops itself', script: 'process.kill(process.pid, "SIGSTOP"); for (;;);', ends: /not done within/ },
  {
    name: 'ignores being told to end',
    script: 'for (const s of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(s, () => {}); for (;;);',
    ends: /not done within/,
  },
  { name: 'throws null', script: 'throw null', ends: /it threw null/ },
  {
    name: 'throws a hostile getter',
    script: 'throw { get message() { throw 1 }, toString() { throw 2 } }',
    ends: /threw/,
  },
  {
    name: 'rejects without anyone to hear',
    script: 'Promise.reject(new Error("x")); await new Promise((r) => setTimeout(r, 500))',
    ends: /Error: x/,
  },
  {
    name: 'heap bomb',
    script: 'const all = []; for (;;) all.push(new Array(1e5).fill({}))',
    ends: /memory|without a result|not done/,
  },
  {
    name: 'buffer bomb',
    script: 'const all = []; for (;;) all.push(Buffer.alloc(5e7, 1))',
    ends: /memory|without a result|allocation|not done/,
  },
  {
    name: 'string bomb',
    script: 'let s = "x"; for (;;) s += s',
    ends: /Invalid string length|memory|without|not done/,
  },
  {
    name: 'flood of output',
    // Waits until each piece has left: else what has not may fill its memory first.
    script: 'for (;;) await new Promise((left) => process.stdout.write("x".repeat(1e5), left))',
    ends: /wrote more than 1 MiB/,
  },
  { name: 'flood of log', script: 'for (;;) console.log("x".repeat(1e4))', ends: /brought back more than 2 MiB/ },
  { name: 'huge result', script: 'request.body = "x".repeat(3e6)', ends: /brought back more than 2 MiB/ },
  { name: 'no result', script: `${builtIn('fs')}.writeSync(4, '{"is":"done"}\\n'); for (;;);`, ends: /is no result/ },
  { name: 'method of its own', script: 'request.method = "BREW"', ends: /is no result/ },
  {
    name: 'getter in the request',
    script: 'Object.defineProperty(request, "url", { get() { throw new Error("got") } })',
    ends: /got/,
  },
  {
    name: 'JSON replaced',
    script: 'JSON.stringify = () => "{}"; JSON.parse = null; request.body = "sane"',
    finds: 'sane',
  },
  {
    name: 'prototypes polluted',
    script:
      'Object.prototype.toJSON = () => 1; String.prototype.toJSON = () => 1; Object.prototype.is = "failed"; request.body = "sane"',
    finds: 'sane',
  },
  {
    name: 'two results',
    script: `${builtIn('fs')}.writeSync(4, '{"is":"failed","message":"first"}\\n{"is":"failed","message":"second"}\\n'); for (;;);`,
    ends: /^first$/,
  },
  { name: 'environment', script: 'request.body = Object.keys(process.env).join()', finds: 'MINE' },
  {
    name: 'environment of its first process',
    script: `${tries(`if (!${builtIn('fs')}.readFileSync('/proc/1/environ', 'utf8').includes('PATH')) throw 1`)}`,
    finds: 'refused',
  },
  { name: 'files of the machine', script: tries(`${builtIn('fs')}.readFileSync('/etc/passwd')`), finds: 'refused' },
  {
    name: 'our files',
    script: tries(`${builtIn('fs')}.readFileSync(${JSON.stringify(import.meta.filename)})`),
    finds: 'refused',
  },
  { name: 'writing', script: tries(`${builtIn('fs')}.writeFileSync('/tmp/vedette-attack', 'x')`), finds: 'refused' },
  { name: 'list of processes', script: tries(`${builtIn('fs')}.readdirSync('/proc')`), finds: 'refused' },
  {
    name: 'fork bomb',
    script: tries(
      `for (let n = 0; n < 1000; n += 1) ${builtIn('child_process')}.spawnSync('sh', ['-c', ':(){ :|:& };:'])`,
    ),
    finds: 'refused',
  },
  {
    name: 'detached grandchild',
    script: tries(`${builtIn('child_process')}.spawn(process.execPath, ['-e', 'for(;;);'], { detached: true })`),
    finds: 'refused',
  },
  {
    name: 'worker thread',
    script: tries(`new (${builtIn('worker_threads')}.Worker)('for(;;);', { eval: true })`),
    finds: 'refused',
  },
  { name: 'addon', script: tries(`process.dlopen({ exports: {} }, '/usr/lib/x.node')`), finds: 'refused' },
  {
    name: 'WASI',
    script: tries(`new (${builtIn('wasi')}.WASI)({ version: 'preview1', preopens: { '/': '/' } })`),
    finds: 'refused',
  },
  { name: 'database file', script: tries(`new (${builtIn('sqlite')}.DatabaseSync)('/tmp/x.db')`), finds: 'refused' },
  { name: 'module that is not offered', script: "require('fs')", ends: /"fs" is not offered/ },
  { name: 'package that is not offered', script: "await import('typebox')", ends: /"typebox" is not offered/ },
  { name: 'snippet outside', script: "require('./snippets/../../etc/passwd')", ends: /there is no snippet/ },
  {
    name: 'kills all that it may',
    script: 'try { process.kill(-1, "SIGKILL") } catch {} for (;;);',
    ends: /without a result|not done/,
    from: 'namespaces',
  },
  {
    name: 'loopback of the machine',
    script: dials('{ host: "127.0.0.1", port: PORT }'),
    finds: 'refused',
    from: 'namespaces',
  },
  { name: 'socket of the machine by path', script: dials('{ path: "SOCKET" }'), finds: 'refused', from: 'strict' },
  {
    name: 'abstract socket of the machine',
    script: dials('{ path: "\\0vedette-attack-PORT" }'),
    finds: 'refused',
    from: 'namespaces',
  },
  {
    name: 'metadata through the proxy',
    script: tries('await fetch("http://169.254.169.254/")'),
    finds: 'refused',
    logs: /169.254.169.254 was not reached: ERR_ADDRESS_NOT_ALLOWED/,
  },
  {
    name: 'metadata through a tunnel',
    script: tries('await fetch("https://169.254.169.254/")'),
    finds: 'refused',
    logs: /ERR_ADDRESS_NOT_ALLOWED/,
  },
  {
    name: 'loopback by a client of its own',
    script:
      'const { default: axios } = await import("axios"); request.body = (await axios.get("http://127.0.0.1:PORT/", { validateStatus: () => true })).data',
    finds: 'ERR_ADDRESS_NOT_ALLOWED: address not allowed: 127.0.0.1 is a loopback address',
    logs: /ERR_ADDRESS_NOT_ALLOWED/,
  },
]

for (const level of ISOLATION_LEVELS) {
  test(`scripts are contained at the level "${level}"`, async (t) => {
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
    const path = `/tmp/vedette-attack-${process.pid}.sock`
    const servers = [path, `\0vedette-attack-${port}`].map((at) => net.createServer().listen(at))
    if (fs.existsSync(path)) fs.chmodSync(path, 0o777)
    t.after(() => {
      for (const server of servers) server.close()
    })
    process.env.VEDETTE_ATTACK = CANARY
    const { dialer } = runContext({ egress: egressPolicy('check-private-location') })
    for (const { name, script, ends, finds, logs, from } of attacks) {
      if (from !== undefined && ISOLATION_LEVELS.indexOf(level) > ISOLATION_LEVELS.indexOf(from)) continue
      await t.test(name, async () => {
        const text = script.replaceAll('PORT', String(port)).replaceAll('SOCKET', path)
        const end = await (ends?.source.includes('not done') ? host : patient).run(job(text), dialer)
        assert.ok(end !== null)
        if (finds !== undefined) assert.equal('done' in end ? end.done.request.body : end.problem, finds)
        else {
          assert.match('problem' in end ? end.problem : 'it came to its end', ends ?? /never/)
          assert.equal('problem' in end && end.ours, false)
        }
        if (logs !== undefined) assert.match(JSON.stringify(end.log), logs)
        assert.ok(!JSON.stringify(end).includes(CANARY))
      })
    }
    assert.equal(reached, 0)
    await until(() => processesOfScripts().length === 0)
    assert.deepEqual(
      fs.readdirSync('/tmp').filter((file) => file === 'vedette-attack'),
      [],
    )
  })
}

/** What runs our bootstrap, here or below. */
function processesOfScripts(): string[] {
  return fs.readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return command.includes(`${import.meta.dirname}/inside.ts`)
    } catch {
      return false
    }
  })
}

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    if (holds()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.fail('processes of scripts are left')
}
