import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { scrubber } from '@vedette/core'
import type { ScriptFile, Verdict } from '@vedette/schema'
import { ServerLink } from '../server-link.ts'
import { portOf } from '../testing/builders.ts'
import { AssetDesk } from './hand-in.ts'

type Answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void

const taking: Answer = (_request, response) => response.writeHead(204).end()

/** A server on loopback that takes files as it is told to, and what it was sent. */
async function aDesk(t: TestContext, answer: Answer = taking, patienceMs?: number) {
  const sent: { path: string; body: string }[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = Buffer.concat(pieces)
      sent.push({ path: request.url ?? '', body: body.toString() })
      answer(request, response, body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const link = new ServerLink(`http://127.0.0.1:${portOf(server)}`, 'key')
  t.after(() => {
    link.close()
    server.closeAllConnections()
    server.close()
  })
  const desk = new AssetDesk(link, patienceMs)
  const handIn = (files: readonly ScriptFile[], verdict: Verdict = 'failed', secrets: readonly string[] = []) =>
    desk.handIn({
      ...{ leaseId: '1.2.lease', checkId: 'check', verdict, isOnDemand: false, files, secrets },
      clean: scrubber(secrets),
    })
  return { sent, handIn }
}

function file(name: string, type: ScriptFile['type'], text = name): ScriptFile {
  const content = Buffer.from(text)
  return { name, type, contentType: 'text/plain', size: content.length, test: 'a', content }
}

test('what the server has taken is named, what is worth the most first', async (t) => {
  const { sent, handIn } = await aDesk(t)
  const { taken, problem } = await handIn([file('0-film', 'video'), file('1-trace', 'trace')])
  assert.equal(problem, null)
  assert.deepEqual(
    taken.map(({ name, size, test }) => [name, size, test]),
    [
      ['1-trace', 7, 'a'],
      ['0-film', 6, 'a'],
    ],
  )
  assert.deepEqual(sent, [
    { path: '/runner/v1/assets/1.2.lease/1-trace?type=trace&contentType=text%2Fplain', body: '1-trace' },
    { path: '/runner/v1/assets/1.2.lease/0-film?type=video&contentType=text%2Fplain', body: '0-film' },
  ])
})

test('of runs that pass one an hour leaves its files', async (t) => {
  const { sent, handIn } = await aDesk(t)
  for (let run = 0; run < 3; run += 1) await handIn([file('0-shot', 'screenshot')], 'passed')
  await handIn([file('1-shot', 'screenshot')], 'failed')
  assert.deepEqual(
    sent.map(({ body }) => body),
    ['0-shot', '1-shot'],
  )
})

test('no secret leaves in a file, in its name or in what is told of it', async (t) => {
  const { sent, handIn } = await aDesk(t)
  const { taken } = await handIn([file('0-canary.txt', 'attachment', 'the canary sings')], 'failed', ['canary'])
  assert.doesNotMatch(JSON.stringify([sent, taken]), /canary/)
  assert.deepEqual(
    taken.map(({ name, size }) => [name, size]),
    [['hidden-0-attachment', 'the ******** sings'.length]],
  )
})

test('a file that is refused costs the rest, and is told of', async (t) => {
  const full: Answer = (request, response, body) =>
    request.url?.includes('2-shot')
      ? response.writeHead(507).end('{"message":"no room"}')
      : taking(request, response, body)
  const { sent, handIn } = await aDesk(t, full)
  const files = [file('1-shot', 'screenshot'), file('2-shot', 'screenshot'), file('3-shot', 'screenshot')]
  const { taken, problem } = await handIn(files)
  assert.deepEqual(
    taken.map(({ name }) => name),
    ['1-shot'],
  )
  assert.match(problem ?? '', /^1 of 3 files of this run are kept: .* 507/)
  assert.equal(sent.length, 2)
})

test('a connection that breaks is tried once more', async (t) => {
  let calls = 0
  const breaking: Answer = (request, response, body) => {
    calls += 1
    if (calls === 1) request.socket.destroy()
    else taking(request, response, body)
  }
  const { handIn } = await aDesk(t, breaking)
  const { taken, problem } = await handIn([file('1-shot', 'screenshot')])
  assert.deepEqual([taken.length, problem], [1, null])
})

test('a server that says nothing is waited for so long and no longer', async (t) => {
  const { handIn } = await aDesk(t, () => {}, 200)
  const { taken, problem } = await handIn([file('1-shot', 'screenshot'), file('2-shot', 'screenshot')])
  assert.deepEqual(taken, [])
  assert.equal(problem, '0 of 2 files of this run are kept: they could not be handed in within 0.2 s')
})
