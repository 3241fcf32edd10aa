import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPings } from './ping-output.ts'

const reply = (sequence: number, time: string, rest = '') =>
  `64 bytes from 192.0.2.1: icmp_seq=${sequence} ttl=64 time=${time} ms${rest}`
const summary = (sent: number) => `\n--- 192.0.2.1 ping statistics ---\n${sent} packets transmitted, 0 received\n`
const output = (sent: number, ...lines: string[]) =>
  ['PING 192.0.2.1 (192.0.2.1) 56(84) bytes of data.', ...lines, summary(sent)].join('\n')

test('each ping has its time, and what is lost has none', () => {
  assert.deepEqual(readPings(output(4, reply(1, '10'), reply(3, '20.5'), reply(4, '30'))), {
    packetsSent: 4,
    packetsReceived: 3,
    packetLoss: 25,
    latency: { min: 10, avg: 20.167, max: 30, stdDev: 8.168 },
    times: [10, null, 20.5, 30],
  })
})

test('a ping that is answered twice is answered once', () => {
  const pings = readPings(output(2, reply(1, '1'), reply(1, '9', ' (DUP!)'), reply(2, '1')))
  assert.deepEqual([pings?.packetsReceived, pings?.packetLoss, pings?.latency?.max], [2, 0, 1])
})

test('what others say of a ping is no answer to it', () => {
  const pings = readPings(output(2, 'From 192.0.2.9 icmp_seq=1 Destination Host Unreachable', ''))
  assert.deepEqual([pings?.packetLoss, pings?.latency, pings?.times], [100, null, [null, null]])
})

test('answers to pings that were not counted are left out', () => {
  assert.deepEqual(readPings(output(1, reply(1, '1'), reply(7, '5'), reply(0, '5')))?.times, [1])
})

test('a time that is no number is no answer', () => {
  assert.deepEqual(readPings(output(1, reply(1, '1..5')))?.times, [null])
})

test('without a summary there is nothing to tell', () => {
  assert.equal(readPings(''), null)
  assert.equal(readPings(reply(1, '3')), null)
  assert.equal(readPings(summary(0)), null)
  assert.equal(readPings(summary(9_999_999_999)), null)
})
