/** Scripts that do everything wrong. `PORT`, `SOCKET`, `RUNNER` and `REDIRECT` stand for what a test has ready for them. */
import type { IsolationLevel } from '@vedette/schema'
import type { ScriptJob } from '../scripts/script-job.ts'

export const jobOf = (script: string, variables: Record<string, string> = { MINE: 'mine' }): ScriptJob => ({
  script,
  snippets: [],
  variables,
  request: { method: 'GET', url: 'http://h/', body: '', headers: {}, queryParameters: {} },
  response: null,
})

export interface Attack {
  name: string
  script: string
  /** Why it did not come to its end; for those that do, what they found out. */
  ends?: RegExp
  finds?: string
  logs?: RegExp
  /** Only kept off where there are namespaces, or an empty root. */
  from?: Exclude<IsolationLevel, 'reduced'>
  /** It strikes at others: one that means no harm runs beside it. */
  atOthers?: boolean
}

const builtIn = (name: string) => `process.getBuiltinModule('${name}')`
/** Tells whether something could be done. */
const tries = (what: string) =>
  `request.body = 'done'; try { await (async () => { ${what} })() } catch (error) { request.body = 'refused' }`
const dials = (options: string) =>
  `request.body = await new Promise((resolve) => { const socket = ${builtIn('net')}.connect(${options});
   socket.once('connect', () => resolve('connected')); socket.once('error', () => resolve('refused')) })`

export const attacks: readonly Attack[] = [
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
      'const axios = require("axios"); request.body = (await axios.get("http://127.0.0.1:PORT/", { validateStatus: () => true })).data',
    finds: 'ERR_ADDRESS_NOT_ALLOWED: address not allowed: 127.0.0.1 is a loopback address',
    logs: /ERR_ADDRESS_NOT_ALLOWED/,
  },
  {
    name: 'sleeps for good',
    script: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
    ends: /not done within/,
  },
  {
    name: 'ticks without end',
    script: '(function tick() { process.nextTick(tick) })(); await new Promise((resolve) => setTimeout(resolve, 100))',
    ends: /not done within/,
  },
  {
    name: 'kills its group',
    script: 'process.kill(0, "SIGKILL"); for (;;);',
    ends: /without a result|not done/,
    atOthers: true,
  },
  {
    name: 'kills its parent',
    script: 'try { process.kill(process.ppid, "SIGKILL") } catch {} for (;;);',
    ends: /without a result|not done/,
    from: 'namespaces',
    atOthers: true,
  },
  {
    name: 'kills the runner',
    script: tries('process.kill(RUNNER, "SIGKILL")'),
    finds: 'refused',
    from: 'namespaces',
    atOthers: true,
  },
  { name: 'stops the runner', script: tries('process.kill(RUNNER, "SIGSTOP")'), finds: 'refused', from: 'namespaces' },
  { name: 'opens the runner', script: tries('process._debugProcess(RUNNER)'), finds: 'refused', from: 'namespaces' },
  { name: 'inspector', script: tries(`new (${builtIn('inspector')}.Session)().connect()`), finds: 'refused' },
  { name: 'open inspector', script: tries(`${builtIn('inspector')}.open(0)`), finds: 'refused' },
  { name: 'another user', script: tries('process.setuid(1)'), finds: 'refused' },
  { name: 'root', script: tries('process.setgid(0); process.setuid(0)'), finds: 'refused', from: 'strict' },
  {
    name: 'spawn storm',
    script: tries(
      `await Promise.all(Array.from({ length: 500 }, () => new Promise((resolve, reject) => ${builtIn('child_process')}.spawn('true').once('spawn', resolve).once('error', reject))))`,
    ),
    finds: 'refused',
  },
  {
    name: 'processes by what is beneath',
    script: tries(
      `if (process.binding('spawn_sync').spawn({ file: '/bin/true', args: ['true'], stdio: [] }).error !== undefined) throw 1`,
    ),
    finds: 'refused',
  },
  {
    name: 'many files',
    script: tries(`for (let n = 0; n < 1e5; n += 1) ${builtIn('fs')}.writeFileSync('/tmp/vedette-attack-' + n, '')`),
    finds: 'refused',
  },
  {
    name: 'many descriptors',
    script: `const net = ${builtIn('net')}; request.body = 'done'
      for (let n = 0; n < 1000 && request.body === 'done'; n += 1) await new Promise((resolve) => {
        const server = net.createServer(); server.once('error', ({ code }) => resolve(request.body = code)); server.listen(0, '127.0.0.1', resolve) })`,
    finds: 'EMFILE',
    atOthers: true,
  },
  {
    name: 'closes what it was given',
    script: `for (let n = 3; n < 40; n += 1) try { ${builtIn('fs')}.closeSync(n) } catch {}`,
    ends: /without a result|not done|waits/,
  },
  {
    name: 'shared buffer bomb',
    script:
      'const all = []; for (;;) { const piece = new SharedArrayBuffer(5e7); new Uint8Array(piece).fill(1); all.push(piece) }',
    ends: /memory|allocation|without|not done/i,
    atOthers: true,
  },
  {
    name: 'WebAssembly bomb',
    script:
      'const all = []; for (;;) { const piece = new WebAssembly.Memory({ initial: 800 }); new Uint8Array(piece.buffer).fill(1); all.push(piece) }',
    ends: /memory|allocat|without|not done/i,
    atOthers: true,
  },
  {
    name: 'result of 300 MB',
    script: 'request.body = "x".repeat(3e8)',
    ends: /more than 2 MiB|memory|without|not done/,
  },
  {
    name: 'a great many headers',
    script: 'for (let n = 0; n < 2e5; n += 1) request.headers["name-" + n] = "value"',
    ends: /brought back more than 2 MiB/,
  },
  {
    name: 'deep result',
    script: 'let deep = []; for (let n = 0; n < 1e5; n += 1) deep = [deep]; request.body = deep',
    ends: /RangeError/,
  },
  {
    name: 'result that holds itself',
    script: 'request.body = { request }; request.request = request.body',
    ends: /circular/,
  },
  {
    name: 'line without end',
    script: `for (;;) ${builtIn('fs')}.writeSync(4, 'x'.repeat(1e5))`,
    ends: /brought back more/,
  },
  {
    name: 'half a message',
    script: `${builtIn('fs')}.writeSync(4, '{"is":"log"\\n'); for (;;);`,
    ends: /is no result/,
  },
  {
    name: 'result after the exit',
    script: `request.body = 'sane'; process.on('exit', () => ${builtIn('fs')}.writeSync(4, '{"is":"failed","message":"late"}\\n'))`,
    finds: 'sane',
  },
  { name: 'never exits', script: 'request.body = "sane"; process.on("exit", () => { for (;;); })', finds: 'sane' },
  {
    name: 'exit replaced',
    script: 'request.body = "sane"; process.exit = process.reallyExit = () => {}; setInterval(() => {}, 10)',
    finds: 'sane',
  },
  { name: 'throws a symbol', script: 'throw Symbol("odd")', ends: /threw Symbol\(odd\)/ },
  {
    name: 'throws a proxy',
    script: 'throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })',
    ends: /threw/,
  },
  {
    name: 'headers that are a trap',
    script: 'request.headers = new Proxy({}, { ownKeys() { throw new Error("trapped") } })',
    ends: /trapped/,
  },
  {
    name: 'memory maps of its first process',
    script: tries(`${builtIn('fs')}.readFileSync('/proc/1/maps')`),
    finds: 'refused',
  },
  { name: 'its own memory', script: tries(`${builtIn('fs')}.openSync('/proc/self/mem', 'r+')`), finds: 'refused' },
  {
    name: 'link out',
    script: tries(`${builtIn('fs')}.symlinkSync('/etc/passwd', '/tmp/vedette-attack')`),
    finds: 'refused',
  },
  { name: 'report of Node.js', script: tries(`process.report.writeReport('/tmp/vedette-attack')`), finds: 'refused' },
  {
    name: 'picture of its heap',
    script: tries(`${builtIn('v8')}.writeHeapSnapshot('/tmp/vedette-attack')`),
    finds: 'refused',
  },
  { name: 'file as a module', script: "const name = 'file:///etc/passwd'; await import(name)", ends: /is not offered/ },
  {
    name: 'text as a module',
    script: "const name = 'data:text/javascript,export default 1'; await import(name)",
    ends: /is not offered/,
  },
  {
    name: 'secret of another check',
    script: `let seen = ''; const fs = ${builtIn('fs')}
      for (let pid = 1; pid < 200; pid += 1) for (const file of ['environ', 'cmdline', 'mem']) try { seen += fs.readFileSync('/proc/' + pid + '/' + file) } catch {}
      request.body = seen + Object.values(process.env).join()`,
    finds: 'mine',
    atOthers: true,
  },
  {
    name: 'loopback by a tunnel',
    script: tries('await fetch("https://127.0.0.1:PORT/")'),
    finds: 'refused',
    logs: /127.0.0.1 was not reached: ERR_ADDRESS_NOT_ALLOWED/,
  },
  {
    name: 'loopback as a number',
    script: tries('await fetch("http://2130706433:PORT/")'),
    finds: 'refused',
    logs: /127.0.0.1 was not reached: ERR_ADDRESS_NOT_ALLOWED/,
  },
  {
    name: 'loopback in another family',
    script: tries('await fetch("http://[::ffff:127.0.0.1]:PORT/")'),
    finds: 'refused',
    logs: /ERR_ADDRESS_NOT_ALLOWED/,
  },
  {
    name: 'address behind a redirect',
    script: tries('await fetch("http://127.0.0.2:REDIRECT/")'),
    finds: 'refused',
    logs: /169.254.169.254 was not reached: ERR_ADDRESS_NOT_ALLOWED/,
  },
  {
    name: 'name server of the machine',
    script: tries(
      `const { promises } = ${builtIn('dns')}; const own = new promises.Resolver({ timeout: 200, tries: 1 }); own.setServers(['127.0.0.1:PORT']); await own.resolve4('canary.test')`,
    ),
    finds: 'refused',
    from: 'namespaces',
  },
]
