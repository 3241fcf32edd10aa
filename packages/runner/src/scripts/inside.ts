/**
 * The process in which one script runs. It takes its job from descriptor 3 and answers on descriptor 4, a line a
 * message; nothing else leads out. Whatever the script breaks in here it breaks for itself: the runner believes only
 * what its schema allows, and ends this process when its time is over.
 */
import fs from 'node:fs'
import http from 'node:http'
import module from 'node:module'
import net from 'node:net'
import { pathToFileURL } from 'node:url'
import util from 'node:util'
import vm from 'node:vm'

const [, , packagesList = '', modules = '', proxySocket = ''] = process.argv
const PACKAGES = new Set(packagesList.split(','))
/** As if what imports a package were beside the folder that holds it. */
const BESIDE_PACKAGES = pathToFileURL(`${modules}/../script.js`).href
const besidePackages = module.createRequire(BESIDE_PACKAGES)
const BUILT_INS = new Set(
  'assert buffer crypto dns events http https path querystring readline stream string_decoder timers tls url util zlib'.split(
    ' ',
  ),
)
const JOB = 'file:///job/'
const SCRIPT = '/job/script.js'
/** A script that imports or exports is a module. */
const MODULE = `${JOB}script.mjs`

// What is used after the script has run is taken before it could be replaced.
const { stringify, parse } = JSON
const { writeSync } = fs
const exit: (code: number) => never = process.exit
const { now } = Date
const { format } = util
const text = String
const { entries } = Object
const isArray = Array.isArray

interface Job {
  script: string
  snippets: { name: string; script: string }[]
  variables: Record<string, string>
  request: Record<string, unknown>
  response: Record<string, unknown> | null
}

function say(line: string): void {
  writeSync(4, `${line}\n`)
}

function log(level: string, parts: unknown[]): void {
  let msg: string
  try {
    msg = format(...parts)
  } catch {
    msg = '(a value that cannot be shown)'
  }
  say(`{"is":"log","time":${now()},"level":${stringify(level)},"msg":${stringify(msg)}}`)
}

/** Written by hand from texts alone: no getter, no prototype and no `toJSON` of the script takes part. */
function textsOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || isArray(value)) return '{}'
  let json = ''
  for (const [key, item] of entries(value)) {
    if (item === undefined || item === null) continue
    json += `${json === '' ? '' : ','}${stringify(key)}:${stringify(text(item))}`
  }
  return `{${json}}`
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? stringify(value) : text(value)

const causeOf = ({ cause }: Error) => (cause instanceof Error ? ` (${cause.message})` : '')

function tellFailure(error: unknown): never {
  let message = 'it threw something that cannot be shown'
  try {
    message =
      error instanceof Error ? `${error.name}: ${error.message}${causeOf(error)}` : `it threw ${format('%s', error)}`
  } catch {}
  say(`{"is":"failed","message":${stringify(text(message).slice(0, 4000))}}`)
  exit(0)
}

process.on('uncaughtException', tellFailure)
process.on('unhandledRejection', tellFailure)

// The job is what this file's own runner wrote.
const job = parse(fs.readFileSync(3, 'utf8')) as Job

for (const name of Object.keys(process.env)) delete process.env[name]
for (const [key, value] of entries(job.variables)) {
  // A name that the system does not take cannot be set; templates still know it.
  if (key !== '' && !key.includes('=') && !key.includes('\0')) process.env[key] = value
}

const levels = { log: 'INFO', info: 'INFO', debug: 'DEBUG', trace: 'DEBUG', dir: 'INFO', warn: 'WARN', error: 'ERROR' }
for (const [name, level] of entries(levels)) Reflect.set(console, name, (...parts: unknown[]) => log(level, parts))

const snippets = new Map(job.snippets.map(({ name, script }) => [name, script]))
const isModule = (source: string) => /^\s*(?:import\s*[\w{*'"]|export\s)/m.test(source)

function stripped(source: string): string {
  try {
    return module.stripTypeScriptTypes(source)
  } catch {
    return source
  }
}

module.registerHooks({
  resolve(specifier, context, next) {
    if (specifier === MODULE) return { url: MODULE, shortCircuit: true }
    if (!context.parentURL?.startsWith(JOB)) return next(specifier, context)
    const local = /^\.\/(?:snippets\/)?(.+?)(?:\.(?:js|mjs|cjs|ts))?$/.exec(specifier)?.[1]
    if (local !== undefined) {
      const name = snippets.has(local) ? local : decodeURIComponent(local)
      if (!snippets.has(name)) throw new Error(`there is no snippet "${name}"`)
      return { url: `${JOB}snippets/${encodeURIComponent(name)}.js`, shortCircuit: true }
    }
    if (module.isBuiltin(specifier)) {
      const name = specifier.replace(/^node:/, '').split('/')[0] ?? ''
      if (!BUILT_INS.has(name)) throw new Error(`the module "${specifier}" is not offered to scripts`)
      return next(specifier, context)
    }
    const name = /^(?:@[^/]+\/)?[^/]*/.exec(specifier)?.[0] ?? ''
    if (!PACKAGES.has(name)) throw new Error(`the package "${specifier}" is not offered to scripts`)
    // What is required is looked for beside the module that requires it, whatever is said here.
    if (context.conditions?.includes('require')) {
      return { url: pathToFileURL(besidePackages.resolve(specifier)).href, shortCircuit: true }
    }
    return next(specifier, { ...context, parentURL: BESIDE_PACKAGES })
  },
  load(url, context, next) {
    if (!url.startsWith(JOB)) return next(url, context)
    const name = decodeURIComponent(url.slice(`${JOB}snippets/`.length, -3))
    const source = url === MODULE ? job.script : (snippets.get(name) ?? '')
    return { format: isModule(source) ? 'module' : 'commonjs', source: stripped(source), shortCircuit: true }
  },
})

/** Everything goes through the runner's proxy, which knows what may be reached. */
async function openTheWayOut(): Promise<void> {
  if (proxySocket === '') return
  const bridge = net.createServer((inner) => {
    const outer = net.connect({ path: proxySocket })
    inner.on('error', () => outer.destroy())
    outer.on('error', () => inner.destroy())
    inner.pipe(outer).pipe(inner)
  })
  bridge.unref()
  await new Promise<void>((resolve, reject) => {
    bridge.once('error', reject)
    bridge.listen(0, '127.0.0.1', resolve)
  })
  const address = bridge.address()
  if (typeof address !== 'object' || address === null) return
  const proxy = `http://127.0.0.1:${address.port}`
  http.setGlobalProxyFromEnv({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy })
}

async function run(): Promise<void> {
  const require = module.createRequire(pathToFileURL(SCRIPT))
  Object.assign(globalThis, { require, request: job.request, ...(job.response && { response: job.response }) })
  if (isModule(job.script)) {
    await import(MODULE)
    return
  }
  const options = { filename: SCRIPT, importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER }
  const wrapped = `(async function () {${job.script}\n})`
  let compiled: vm.Script
  try {
    compiled = new vm.Script(wrapped, options)
  } catch (error) {
    const plain = stripped(wrapped)
    if (plain === wrapped) throw error
    compiled = new vm.Script(plain, options)
  }
  await compiled.runInThisContext()()
}

await openTheWayOut()
try {
  await run()
  const { request, response } = job
  const method = textOf(request.method).toUpperCase()
  const sent = `{"method":${stringify(method)},"url":${stringify(textOf(request.url))},"body":${stringify(textOf(request.body))},"headers":${textsOf(request.headers)},"queryParameters":${textsOf(request.queryParameters)}}`
  const body = response === null ? 'null' : stringify(textOf(response.body))
  say(`{"is":"done","request":${sent},"body":${body},"variables":${textsOf(process.env)}}`)
  exit(0)
} catch (error) {
  tellFailure(error)
}
