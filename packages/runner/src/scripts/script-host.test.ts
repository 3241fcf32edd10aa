import assert from 'node:assert/strict'
import fs from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { egressPolicy } from '@vedette/core'
import { CURRENT_RUNTIME } from '@vedette/schema'
import { installedRuntimes, runtimesFolder } from '../playwright/runtimes.ts'
import { portOf, runContext } from '../testing/builders.ts'
import { ownTemporaryFolder, processesLeft, processesOf } from '../testing/leftovers.ts'
import { offeredPackages } from './isolation.ts'
import { ScriptHost } from './script-host.ts'
import type { ScriptJob } from './script-job.ts'

const quiet = () => {}
const job = (script: string, rest: Partial<ScriptJob> = {}): ScriptJob => ({
  script,
  snippets: [],
  variables: {},
  request: { method: 'GET', url: 'http://h/', body: '', headers: { a: 'b' }, queryParameters: {} },
  response: null,
  ...rest,
})

/** The strongest level of this machine, whichever that is. */
const host = new ScriptHost({ log: quiet, allowReduced: true, limitMs: 60_000 })
async function done(given: ScriptJob) {
  const end = await host.run(given, runContext().dialer)
  assert.ok(end !== null && 'done' in end, JSON.stringify(end))
  return { ...end.done, log: end.log.map(({ level, msg }) => `${level} ${msg}`) }
}

test('a script changes the request and variables, and is heard', async () => {
  const script = `
    interface Order { id: number }
    const order: Order = { id: await Promise.resolve(7) }
    request.method = 'post'
    request.url += process.env.PART
    request.headers['x-order'] = order.id
    request.queryParameters.q = 'a'
    request.body = { order }
    process.env.SERVICE_SECRET_TOKEN = 'hush'
    console.log('made', order); console.warn('careful'); console.error('no'); console.debug('so')
    return`
  const { request, variables, log } = await done(job(script, { variables: { PART: 'x' } }))
  assert.deepEqual(request, {
    method: 'POST',
    url: 'http://h/x',
    body: '{"order":{"id":7}}',
    headers: { a: 'b', 'x-order': '7' },
    queryParameters: { q: 'a' },
  })
  assert.deepEqual(variables, { PART: 'x', SERVICE_SECRET_TOKEN: 'hush' })
  assert.deepEqual(log, ['INFO made { id: 7 }', 'WARN careful', 'ERROR no', 'DEBUG so'])
})

test('snippets are imported and required, and import each other', async () => {
  const snippets = [
    { name: 'auth', script: "import { salt } from './salt.js'\nexport const token = (n: number): string => salt + n" },
    { name: 'salt', script: "export const salt: string = 's'" },
    { name: 'old one', script: 'module.exports = { value: require("./salt").salt }' },
  ]
  const asModule = "import { token } from './snippets/auth.js'\nrequest.body = token(1)"
  assert.equal((await done(job(asModule, { snippets }))).request.body, 's1')
  const asScript =
    "request.body = require('./snippets/old one.js').value + (await import('./snippets/auth.js')).token(2)"
  assert.equal((await done(job(asScript, { snippets }))).request.body, 'ss2')
})

test('packages are required as they are imported', async () => {
  const script =
    'const { v4 } = require("uuid"); const axios = require("axios"); request.body = v4().length + typeof axios.get + require("lodash/chunk")([1, 2], 1).length'
  assert.equal((await done(job(script))).request.body, '36function2')
  const unknown = await host.run(job('require("fastify")'), runContext().dialer)
  assert.match(unknown !== null && 'problem' in unknown ? unknown.problem : '', /"fastify" is not offered to scripts/)
})

test('a script after the request changes the body of the answer', async () => {
  const response = { statusCode: 200, statusText: 'OK', body: '{"a":1}', headers: {}, timings: {}, timingPhases: {} }
  const { body } = await done(
    job('response.body = { ...JSON.parse(response.body), b: response.statusCode }', { response }),
  )
  assert.equal(body, '{"a":1,"b":200}')
})

test('all packages that are offered can be used, and reach what the policy allows', async (t) => {
  const server = http.createServer((request, response) => response.end(`seen ${request.url}`))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const at = `http://127.0.0.1:${portOf(server)}`
  const script = `
    import { faker } from '@faker-js/faker'
    import axios from 'axios'
    import CryptoJS from 'crypto-js'
    import { addDays } from 'date-fns'
    import FormData from 'form-data'
    import { parse } from 'graphql'
    import jwt from 'jsonwebtoken'
    import _ from 'lodash'
    import moment from 'moment'
    import { v4 } from 'uuid'
    import WebSocket from 'ws'
    import { z } from 'zod'
    import crypto from 'node:crypto'
    const used = [CryptoJS.MD5('a'), addDays(new Date(0), 1), new FormData(), parse('{ a }'), jwt.sign({}, 'k'), moment(0),
      v4(), WebSocket.name, z.string().parse('a'), crypto.randomUUID(), faker.number.int()]
    request.body = [used.length, _.chunk([1, 2, 3], 2).length, (await axios.get('${at}/axios')).data,
      await (await fetch('${at}/fetch')).text()].join('|')`
  assert.equal((await done(job(script))).request.body, '11|2|seen /axios|seen /fetch')
})

test('without isolation no script runs, unless the operator allows it', async () => {
  const path = process.env.PATH
  const lines: string[] = []
  const strict = new ScriptHost({ log: (_, line) => lines.push(line), allowReduced: false })
  process.env.PATH = '/nowhere'
  try {
    assert.equal(await strict.run(job(''), runContext({ egress: egressPolicy('check-built-in') }).dialer), null)
  } finally {
    process.env.PATH = path
  }
  assert.equal(await strict.level(), null)
  assert.match(lines.join('\n'), /bwrap not installed[\s\S]*isolation unavailable/)
})

test('scripts around requests import what the current runtime is made of, in the versions that it pins', () => {
  const runtime = installedRuntimes().find(({ id }) => id === CURRENT_RUNTIME)
  assert.ok(runtime !== undefined)
  const manifest: unknown = JSON.parse(fs.readFileSync(join(runtimesFolder(), CURRENT_RUNTIME, 'package.json'), 'utf8'))
  assert.ok(typeof manifest === 'object' && manifest !== null && 'dependencies' in manifest)
  assert.deepEqual(runtime.packages, manifest.dependencies)
  const { names, modules } = offeredPackages()
  assert.equal(modules, runtime.modules)
  assert.deepEqual(
    Object.keys(runtime.packages).filter((name) => !names.includes(name)),
    ['@axe-core/playwright', '@playwright/test'],
  )
})

const WAITING = 'await new Promise((resolve) => setTimeout(resolve, 60_000))'
const isScript = (pid: string) => fs.readlinkSync(`/proc/${pid}/exe`) === process.execPath

/** The process of ours that starts scripts. */
function starters(): number[] {
  const children = fs.readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
  const pids = children.split(' ').filter((pid) => pid !== '')
  return pids.map(Number).filter((pid) => fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('launch-process'))
}

test('when what starts scripts is killed, the script in hand ends as trouble of ours, and the next one runs', async (t) => {
  const folder = ownTemporaryFolder(t)
  await done(job(''))
  const [starter] = starters()
  assert.ok(starter)
  const waiting = host.run(job(WAITING), runContext().dialer)
  // Earlier, the tools that tie it to its starter are not there yet.
  const isRunning = () => processesOf(folder).some(isScript)
  while (!isRunning()) await new Promise((resolve) => setTimeout(resolve, 20))
  process.kill(starter, 'SIGKILL')
  const end = await waiting
  assert.ok(end !== null && 'ours' in end && end.ours, JSON.stringify(end))
  await processesLeft(folder, 0)
  assert.match((await done(job('request.body = "well"'))).request.body, /well/)
})
