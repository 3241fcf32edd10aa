/**
 * Asks by datagrams. They get lost, so the question is repeated; anybody can send them, so what does not match the
 * question is left aside, and only spoken of when nothing better came.
 */
import dgram from 'node:dgram'
import { isIPv6 } from 'node:net'
import { codeOf, RequestFailure, socketFailure, targetFailure, timeoutFailure } from '../http/failure.ts'
import { type NameServer, nameOf, type Patience } from './name-server.ts'
import { type Answer, type Question, readAnswer } from './question.ts'

/** After the question was first put. */
const REPEATED_AFTER_MS = [1000, 2500]
/** Nobody has so many answers to one question. */
const STRAYS_LIMIT = 1000

export function askByUdp(question: Question, server: NameServer, { signal, limitMs }: Patience): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(timeoutFailure('answer', limitMs))
      return
    }
    let isOver = false
    let strays = 0
    let lastStray = ''
    // The kernel chooses a port at random, and lets nothing through but what the name server sends.
    const socket = dgram.createSocket(isIPv6(server.address) ? 'udp6' : 'udp4')
    const finish = (outcome: Answer | RequestFailure) => {
      if (isOver) return
      isOver = true
      for (const timer of timers) clearTimeout(timer)
      signal.removeEventListener('abort', expire)
      socket.close()
      if (outcome instanceof RequestFailure) reject(outcome)
      else resolve(outcome)
    }
    const expire = () => {
      if (strays === 0) finish(timeoutFailure('answer', limitMs))
      else finish(strayFailure(`within ${limitMs / 1000} s`, strays, lastStray))
    }
    const send = () => {
      if (!isOver) socket.send(question.bytes, () => {})
    }
    const timers = REPEATED_AFTER_MS.map((ms) => setTimeout(send, ms))
    signal.addEventListener('abort', expire)
    socket.on('message', (bytes) => {
      if (isOver) return
      try {
        const answer = readAnswer(question, bytes)
        if (!('stray' in answer)) {
          finish(answer)
          return
        }
        strays += 1
        lastStray = answer.stray
        if (strays >= STRAYS_LIMIT) finish(strayFailure('to the question', strays, lastStray))
      } catch (error) {
        finish(asFailure(error, server))
      }
    })
    socket.on('error', (error) => finish(asFailure(error, server)))
    socket.connect(server.port, server.address, send)
  })
}

function strayFailure(when: string, strays: number, last: string): RequestFailure {
  const what = strays === 1 ? 'what came was' : `all of the ${strays} that came were`
  return targetFailure('answer', 'ERR_WRONG_ANSWER', `no answer ${when}: ${what} not ours (${last})`)
}

function asFailure(error: unknown, server: NameServer): RequestFailure {
  if (error instanceof RequestFailure) return error
  if (!(error instanceof Error)) throw error
  if (codeOf(error) === 'ECONNREFUSED') {
    return targetFailure('answer', 'ECONNREFUSED', `no name server listens at ${nameOf(server)}`)
  }
  return socketFailure(error, 'send')
}
