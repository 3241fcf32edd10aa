/** A name server on loopback that says what a test wants it to say. */
import dgram from 'node:dgram'
import { once } from 'node:events'
import type { TestContext } from 'node:test'

/** Addresses, a response code such as 3 (no such name), or silence. */
export type DnsAnswer = string[] | number | 'silence'

/** Gives its address, such as `127.0.0.1:5353`. */
export async function startDnsServer(t: TestContext, answerFor: (name: string) => DnsAnswer): Promise<string> {
  const socket = dgram.createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const answer = answerFor(nameIn(query))
    if (answer !== 'silence') socket.send(respond(query, answer), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  return `127.0.0.1:${socket.address().port}`
}

function nameIn(query: Buffer): string {
  const labels: string[] = []
  for (let at = 12; ; ) {
    const length = query[at] ?? 0
    if (length === 0) return labels.join('.').toLowerCase()
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
}

function respond(query: Buffer, answer: string[] | number): Buffer {
  const questionEnd = query.indexOf(0, 12) + 5
  const wantsV6 = query.readUInt16BE(questionEnd - 4) === 28
  const addresses = typeof answer === 'number' ? [] : answer.filter((address) => address.includes(':') === wantsV6)
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8180 | (typeof answer === 'number' ? answer : 0), 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(addresses.length, 6)
  const records = addresses.map((address) => {
    const data = wantsV6 ? v6(address) : Buffer.from(address.split('.').map(Number))
    const record = Buffer.from([0xc0, 12, 0, wantsV6 ? 28 : 1, 0, 1, 0, 0, 0, 0, 0, data.length])
    return Buffer.concat([record, data])
  })
  return Buffer.concat([head, query.subarray(12, questionEnd), ...records])
}

function v6(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const missing = 8 - groups(head).length - groups(tail).length
  const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
