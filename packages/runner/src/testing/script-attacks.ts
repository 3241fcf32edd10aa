/**
 * Scripts of Playwright that do everything wrong. Words in capitals stand for what a test has ready for them: `PORT` and
 * `SOCKET` of servers of the machine, `REDIRECT` of one that may be asked and leads to another, `RUNNER` for a process.
 */
import type { IsolationLevel } from '@vedette/schema'

/** Where it is kept off: at this level and those before it; at all of them if there is none. */
interface From {
  from?: Exclude<IsolationLevel, 'reduced'>
}

/** What looks for a way out and comes to its end: many of them are tests of one run. */
export interface Probe extends From {
  name: string
  /** The body of a test, that returns what it found. */
  does: string
  finds: string
  /** Numbers of system calls are those of x64. */
  isOfX64?: boolean
}

/** What ruins its own run: each has one of its own. */
export interface Ruin extends From {
  name: string
  script: string
  hasPages?: boolean
  /** Why the run did not come to its end, or how it ended. */
  ends: RegExp
  /** What stands in its log, or in its errors. */
  tells?: RegExp
  /** Tried at weaker levels too, where what contains it is another means. */
  everywhere?: boolean
}

const tries = (what: string) => `try { await (async () => { ${what} })(); return 'done' } catch { return 'refused' }`
const reads = (path: string) => tries(`fs.readFileSync(${JSON.stringify(path)})`)
const writes = (path: string) => tries(`fs.writeFileSync(${JSON.stringify(path)}, 'x')`)
const starts = (command: string, ...args: string[]) =>
  `const { status } = child.spawnSync(${JSON.stringify(command)}, ${JSON.stringify(args)}); return status === 0 ? 'done' : 'refused'`
const calls = (number: number, args: string) =>
  `return child.spawnSync('perl', ['-e', 'exit(syscall(${number}, ${args}) == -1 ? 1 : 0)']).status === 0 ? 'done' : 'refused'`
const dials = (options: string) =>
  `return new Promise((resolve) => { const socket = net.connect(${options})
    socket.once('connect', () => resolve('connected')); socket.once('error', () => resolve('refused')) })`
const asks = (url: string) =>
  `try { const answer = await request.get('${url}', { timeout: 5000 }); return answer.status() === 502 ? 'refused' : 'answered' } catch { return 'refused' }`

export const probes: readonly Probe[] = [
  { name: 'passwords', does: reads('/etc/shadow'), finds: 'refused' },
  { name: 'users', does: reads('/etc/passwd'), finds: 'refused', from: 'strict' },
  { name: 'our files', does: reads(import.meta.filename), finds: 'refused', from: 'strict' },
  {
    name: 'environment of the first process',
    does: `try { return fs.readFileSync('/proc/1/environ', 'utf8').includes('CANARY') ? 'found' : 'nothing' } catch { return 'nothing' }`,
    finds: 'nothing',
  },
  {
    name: 'environment',
    does: `return JSON.stringify(process.env).includes('CANARY') ? 'found' : 'nothing'`,
    finds: 'nothing',
  },
  {
    name: 'secrets of other runs',
    does: `for (const pid of fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name))) for (const file of ['environ', 'cmdline']) {
      try { if (fs.readFileSync('/proc/' + pid + '/' + file, 'utf8').includes('SEC' + 'RET-OF-ANOTHER')) return 'found' } catch {} }
      return 'nothing'`,
    finds: 'nothing',
  },
  {
    name: 'processes of the machine',
    does: `return fs.readdirSync('/proc').includes('RUNNER') ? 'found' : 'nothing'`,
    finds: 'nothing',
    from: 'namespaces',
  },
  { name: 'signal to the runner', does: tries('process.kill(RUNNER, 0)'), finds: 'refused' },
  {
    name: 'memory of its first process',
    does: tries(`fs.readSync(fs.openSync('/proc/1/mem', 'r'), Buffer.alloc(8), 0, 8, 4096 * 1024)`),
    finds: 'refused',
    from: 'strict',
  },
  {
    name: 'descriptors that lead outside',
    does: `return fs.readdirSync('/proc/self/fd').map((fd) => { try { return fs.readlinkSync('/proc/self/fd/' + fd) } catch { return '' } })
      .filter((to) => to.startsWith('/') && !/^\\/(dev|proc|job|tmp|inside|node_modules)|vedette/.test(to)).join() || 'nothing'`,
    finds: 'nothing',
    from: 'strict',
  },
  {
    name: 'loopback of the machine',
    does: dials("{ port: PORT, host: '127.0.0.1' }"),
    finds: 'refused',
    from: 'namespaces',
  },
  { name: 'socket of the machine', does: dials("{ path: 'SOCKET' }"), finds: 'refused', from: 'strict' },
  {
    name: 'socket without a file',
    does: dials("{ path: '\\0vedette-attack-PORT' }"),
    finds: 'refused',
    from: 'namespaces',
  },
  {
    name: 'datagram',
    does: `return new Promise((resolve) => { const socket = require('dgram').createSocket('udp4')
      socket.send('x', PORT, '127.0.0.1', () => { socket.close(); resolve('sent') }); socket.on('error', () => resolve('sent')) })`,
    finds: 'sent',
    from: 'namespaces',
  },
  { name: 'metadata', does: asks('http://169.254.169.254/latest/meta-data'), finds: 'refused' },
  {
    name: 'metadata by fetch',
    does: tries(`if ((await fetch('http://169.254.169.254/')).status === 502) throw 1`),
    finds: 'refused',
  },
  { name: 'loopback through the proxy', does: asks('http://127.0.0.1:PORT/'), finds: 'refused' },
  { name: 'loopback as a number', does: asks('http://2130706433:PORT/'), finds: 'refused' },
  { name: 'loopback in another family', does: asks('http://[::ffff:127.0.0.1]:PORT/'), finds: 'refused' },
  { name: 'metadata behind a redirect', does: asks('http://127.0.0.2:REDIRECT/'), finds: 'refused' },
  {
    name: 'tunnel to the machine',
    does: `const [, port] = /:(\\d+)/.exec(process.env.HTTP_PROXY.slice(5)); return new Promise((resolve) => {
      const asking = require('http').request({ host: '127.0.0.1', port, method: 'CONNECT', path: '127.0.0.1:PORT' })
      asking.on('connect', (answer) => resolve(answer.statusCode === 200 ? 'connected' : 'refused')); asking.on('error', () => resolve('refused')); asking.end() })`,
    finds: 'refused',
  },
  {
    name: 'sockets of other runs',
    does: `return fs.readdirSync('/tmp').some((name) => name.startsWith('vedette')) ? 'found' : 'nothing'`,
    finds: 'nothing',
    from: 'strict',
  },
  { name: 'writing to the system', does: writes('/usr/bin/vedette-attack'), finds: 'refused' },
  { name: 'writing to packages', does: writes('/node_modules/vedette-attack'), finds: 'refused', from: 'strict' },
  { name: 'writing beside the folder of the job', does: writes('../vedette-attack'), finds: 'refused' },
  { name: 'changing what is loaded next', does: tries(`fs.appendFileSync(process.argv0, 'x')`), finds: 'refused' },
  {
    name: 'more than it may write',
    does: `try { const piece = Buffer.alloc(1 << 24); for (let n = 0; n < 10; n += 1) fs.appendFileSync('big', piece); return 'done' }
      catch { return 'refused' } finally { fs.rmSync('big', { force: true }) }`,
    finds: 'refused',
  },
  {
    name: 'shared memory without end',
    does: `try { for (let n = 0; n < 8; n += 1) fs.writeFileSync('/dev/shm/' + n, Buffer.alloc(1 << 22)); return 'done' }
      catch { return 'refused' } finally { for (let n = 0; n < 8; n += 1) fs.rmSync('/dev/shm/' + n, { force: true }) }`,
    finds: 'refused',
    from: 'strict',
  },
  {
    name: 'descriptors without end',
    does: `const open = []; try { for (let n = 0; n < 5000; n += 1) open.push(fs.openSync('/dev/null')); return 'done' }
      catch { return 'refused' } finally { for (const one of open) fs.closeSync(one) }`,
    finds: 'refused',
  },
  { name: 'user namespace', does: starts('unshare', '-Ur', 'true'), finds: 'refused', from: 'strict' },
  { name: 'mount', does: starts('mount', '-t', 'tmpfs', 'none', '/tmp'), finds: 'refused' },
  { name: 'another root', does: starts('chroot', '/tmp', '/bin/true'), finds: 'refused' },
  {
    name: 'capabilities',
    does: `const status = fs.readFileSync('/proc/self/status', 'utf8'); return /CapEff:\\t0+\\n/.test(status) && /NoNewPrivs:\\t1/.test(status) ? 'none' : 'some'`,
    finds: 'none',
  },
  { name: 'ptrace', does: calls(101, '0, 0, 0, 0'), finds: 'refused', from: 'strict', isOfX64: true },
  { name: 'io_uring', does: calls(425, '1, 0'), finds: 'refused', from: 'strict', isOfX64: true },
  { name: 'keys of the kernel', does: calls(250, '0, -3, 0'), finds: 'refused', from: 'strict', isOfX64: true },
  {
    name: 'link as an attachment',
    does: `fs.symlinkSync('/etc/shadow', 'link'); return test.info().attach('link', { path: 'link' }).then(() => 'done', () => 'refused')`,
    finds: 'refused',
  },
  {
    name: 'link that is left for later',
    does: `fs.symlinkSync('/etc/shadow', 'stolen.png'); return 'left'`,
    finds: 'left',
  },
  {
    name: 'program instead of a browser',
    does: tries(
      `await require('@playwright/test').chromium.launch({ executablePath: '/bin/sh', args: ['-c', 'exit'], timeout: 5000 })`,
    ),
    finds: 'refused',
  },
  {
    name: 'browser of the machine',
    does: tries(`await require('@playwright/test').chromium.launch({ channel: 'chrome', timeout: 5000 })`),
    finds: 'refused',
  },
  {
    name: 'browser elsewhere',
    does: tries(
      `await require('@playwright/test').chromium.connectOverCDP('http://127.0.0.1:PORT', { timeout: 2000 })`,
    ),
    finds: 'refused',
  },
  {
    name: 'detached grandchild',
    does: `child.spawn('setsid', ['sh', '-c', 'setsid sleep 1000 & setsid sleep 1000'], { detached: true, stdio: 'ignore' }).unref(); return 'started'`,
    finds: 'started',
  },
]

/** The proxy says why it refuses: nothing else has answered then. */
const opens = (url: string) =>
  `try { await page.goto('${url}', { timeout: 5000 }); const text = await page.locator('body').innerText({ timeout: 2000 })
    return text.startsWith('ERR_ADDRESS_NOT_ALLOWED') ? 'refused' : text } catch { return 'refused' }`

/** The same with a page at hand. */
export const pageProbes: readonly Probe[] = [
  {
    name: 'the sandbox of the browser',
    // Renderers are in a namespace of their own, behind a further filter.
    does: `await page.goto('about:blank'); return fs.readdirSync('/proc').some((pid) => { try {
      return fs.readFileSync('/proc/' + pid + '/cmdline', 'utf8').includes('--type=renderer') &&
        fs.readFileSync('/proc/' + pid + '/status', 'utf8').match(/^NSpid:.*$/m)[0].split('\\t').length > 2 } catch { return false } }) ? 'on' : 'off'`,
    finds: 'on',
  },
  { name: 'file as a page', does: opens('file:///etc/passwd'), finds: 'refused', from: 'strict' },
  { name: 'source of a file', does: opens('view-source:file:///etc/passwd'), finds: 'refused', from: 'strict' },
  { name: 'page of a loopback', does: opens('http://127.0.0.1:PORT/'), finds: 'refused' },
  { name: 'page of metadata', does: opens('http://169.254.169.254/'), finds: 'refused' },
  { name: 'page behind a redirect', does: opens('http://127.0.0.2:REDIRECT/'), finds: 'refused' },
  {
    name: 'socket of a page',
    does: `return page.evaluate(() => new Promise((resolve) => { const socket = new WebSocket('ws://127.0.0.1:PORT/')
      socket.onopen = () => resolve('connected'); socket.onerror = () => resolve('refused') }))`,
    finds: 'refused',
  },
  {
    name: 'datagram of a page',
    does: `return page.evaluate(async () => { const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:PORT' }] })
      peer.createDataChannel('x'); await peer.setLocalDescription(await peer.createOffer())
      await new Promise((resolve) => { peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && resolve(); setTimeout(resolve, 300) })
      return 'sent' })`,
    finds: 'sent',
    from: 'namespaces',
  },
  {
    name: 'screenshot elsewhere',
    does: tries(`await page.screenshot({ path: '/usr/share/vedette-attack.png' })`),
    finds: 'refused',
  },
  {
    name: 'trace elsewhere',
    does: tries(
      `const context = await page.context().browser().newContext(); await context.tracing.start(); await context.tracing.stop({ path: '/usr/share/vedette-attack.zip' })`,
    ),
    finds: 'refused',
  },
  {
    name: 'mount beside a browser',
    does: starts('unshare', '-Urm', 'mount', '-t', 'tmpfs', 'none', '/mnt'),
    finds: 'refused',
    from: 'strict',
  },
  { name: 'ptrace beside a browser', does: calls(101, '0, 0, 0, 0'), finds: 'refused', from: 'strict', isOfX64: true },
  {
    name: 'server of browsers',
    does: `await require('@playwright/test').chromium.launchServer({ handleSIGINT: false }); return 'left'`,
    finds: 'left',
  },
  {
    name: 'page that crashes',
    does: `return page.goto('chrome://crash', { timeout: 5000 }).then(() => 'done', () => 'crashed')`,
    finds: 'crashed',
  },
]

const PRELUDE = `const { test, expect } = require('@playwright/test')
const fs = require('node:fs'), net = require('node:net'), child = require('node:child_process')
`

/** One file of tests, each with what it found as an annotation. */
export const fileOf = (tried: readonly Probe[], fixture: 'request' | 'page') =>
  PRELUDE +
  tried
    .map(
      ({ name, does }) => `test(${JSON.stringify(name)}, async ({ ${fixture} }) => {
  const found = await (async () => { ${does} })()
  test.info().annotations.push({ type: 'found', description: String(found) })
})`,
    )
    .join('\n')

const inTest = (body: string, fixtures = '') => `${PRELUDE}test('attack', async ({ ${fixtures} }) => { ${body} })`
const tell = (...events: object[]) =>
  events.map((event) => `fs.writeSync(4, ${JSON.stringify(`${JSON.stringify(event)}\n`)});`).join(' ')
const end = (status: string) => ({ is: 'end', status, code: null, durationMs: 1, filesLeftOut: 0 })
/** A pipe that is full takes less. */
const floods = (descriptor: number, text: string) =>
  `const piece = Buffer.from(${text}); for (;;) { try { fs.writeSync(${descriptor}, piece) } catch (error) { if (error.code !== 'EAGAIN') throw error } }`

export const ruins: readonly Ruin[] = [
  { name: 'endless loop', script: inTest('for (;;);'), ends: /not done within/ },
  {
    name: 'promise that never settles',
    script: inTest('test.setTimeout(0); await new Promise(() => {})'),
    ends: /^interrupted$|never comes/,
  },
  { name: 'stops itself', script: inTest(`process.kill(process.pid, 'SIGSTOP')`), ends: /not done within/ },
  { name: 'kills itself', script: inTest(`process.kill(process.pid, 'SIGKILL'); for (;;);`), ends: /without a result/ },
  {
    name: 'kills everybody',
    script: inTest(`process.kill(-1, 'SIGKILL'); for (;;);`),
    ends: /^failed$|without a result|not done within/,
    everywhere: true,
  },
  { name: 'kills its group', script: inTest(`process.kill(0, 'SIGKILL'); for (;;);`), ends: /without a result/ },
  { name: 'aborts', script: inTest('process.abort()'), ends: /^failed$|without a result/ },
  { name: 'exits in the middle', script: inTest('process.exit(0)'), ends: /^failed$/ },
  { name: 'exits at the top', script: `${PRELUDE}process.exit(0)`, ends: /^failed$|without a result/ },
  {
    name: 'memory without end',
    script: inTest('const all = []; for (;;) all.push(Buffer.alloc(2e7, 1))'),
    ends: /more memory than the 400 MiB/,
  },
  {
    name: 'memory of children',
    script: inTest(
      `for (let n = 0; n < 3; n += 1) child.spawn(process.execPath, ['-e', 'const a = Buffer.alloc(2e8, 1); setTimeout(() => {}, 1e9)'], { detached: true, stdio: 'ignore' }); await new Promise(() => {})`,
    ),
    ends: /more memory than the 400 MiB/,
    everywhere: true,
  },
  {
    name: 'fork bomb',
    script: inTest(
      `child.spawn('sh', ['-c', 'b() { b | b & }; b'], { detached: true, stdio: 'ignore' }); await new Promise(() => {})`,
    ),
    ends: /more processes|more memory|^interrupted$|^failed$|not done within|without a result/,
    everywhere: true,
  },
  {
    name: 'storm of processes',
    script: inTest(
      `for (let n = 0; n < 200; n += 1) child.spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' }).on('error', () => {}).unref()`,
    ),
    ends: /more processes|^passed$|^failed$|^interrupted$|not done within|without a result/,
  },
  { name: 'flood of output', script: inTest(floods(1, `'x'.repeat(1e6) + '\\n'`)), ends: /wrote more than 100 MiB/ },
  {
    name: 'line without end',
    script: inTest(floods(4, `'x'.repeat(1e6)`)),
    ends: /a line of more than 4/,
  },
  {
    name: 'flood of printed lines',
    script: inTest(`for (let n = 0; n < 3000; n += 1) console.log('x'.repeat(1000))`),
    ends: /^passed$/,
  },
  {
    name: 'flood of events',
    script: inTest(floods(4, `('{"is":"degraded","reason":"x"}\\n').repeat(1000)`)),
    ends: /more than 200000 events/,
  },
  {
    name: 'tests without end',
    script: inTest(
      `for (let n = 0; n < 5000; n += 1) fs.writeSync(4, JSON.stringify({ is: 'test', id: String(n), retry: 0, titles: ['x'], project: '', location: { file: 'x', line: 1, column: 1 }, at: 1 }) + '\\n'); ${tell(end('passed'))} for (;;);`,
    ),
    ends: /^passed$/,
  },
  { name: 'what is no result', script: inTest(`${tell({ is: 'end' })} for (;;);`), ends: /is no result/ },
  { name: 'two ends', script: inTest(`${tell(end('failed'), end('passed'))} for (;;);`), ends: /^failed$/ },
  {
    name: 'files that are none',
    script: inTest(
      `${tell({ is: 'file', no: 0, role: 'trace', name: '../../etc/passwd', contentType: 'text/html\r\nx: y', bytes: 1e15, test: null, retry: 0 }, { is: 'data', no: 7, base64: '!!!!' }, end('passed'))} for (;;);`,
    ),
    ends: /^passed$/,
  },
  {
    name: 'JSON and prototypes replaced',
    script: `${PRELUDE}test('attack', async () => { JSON.stringify = () => '{}'; JSON.parse = () => { throw 1 }; Object.prototype.toJSON = () => 1
      Array.prototype.push = () => { throw 2 }; Promise.prototype.then = null; Buffer.from = null })`,
    ends: /^passed$|^failed$|not done within|without a result|no result|never comes/,
  },
  {
    name: 'what it throws strikes back',
    script: `${PRELUDE}test('null', () => { throw null }); test('getter', () => { throw { get message() { throw 1 }, get stack() { throw 2 }, toString() { throw 3 } } })
      test('proxy', () => { throw new Proxy({}, { get() { throw 4 }, getPrototypeOf() { throw 5 } }) })`,
    ends: /^failed$|without a result/,
  },
  {
    name: 'rejection that nobody hears',
    script: inTest(`Promise.reject(new Error('unheard')); await new Promise((resolve) => setTimeout(resolve, 50))`),
    ends: /^failed$/,
    tells: /unheard/,
  },
  {
    name: 'endless loop in a page',
    script: inTest('test.setTimeout(0); await page.evaluate(() => { for (;;); })', 'page'),
    hasPages: true,
    ends: /^interrupted$|not done within/,
  },
  {
    name: 'stopped browser',
    script: inTest(
      `for (const pid of fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name))) { try { if (fs.readFileSync('/proc/' + pid + '/cmdline', 'utf8').includes('headless')) process.kill(Number(pid), 'SIGSTOP') } catch {} }
      test.setTimeout(0); await page.goto('data:text/html,x')`,
      'page',
    ),
    hasPages: true,
    ends: /^interrupted$|^failed$|not done within/,
  },
  {
    name: 'killed browser',
    script: inTest(
      `for (const pid of fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name))) { try { if (fs.readFileSync('/proc/' + pid + '/cmdline', 'utf8').includes('--headless')) process.kill(Number(pid), 'SIGKILL') } catch {} }
      await page.goto('data:text/html,x')`,
      'page',
    ),
    hasPages: true,
    ends: /^failed$/,
  },
  {
    name: 'memory of a page without end',
    script: inTest(
      'test.setTimeout(0); await page.evaluate(() => { globalThis.all = []; for (;;) all.push(new Uint8Array(2e7).fill(1)) })',
      'page',
    ),
    hasPages: true,
    ends: /more memory than the 400 MiB|^failed$/,
  },
]
