/** Listens to what comes over a connection, until that is an answer. */
import type { Socket } from 'node:net'
import type { ProbePhase } from '@vedette/schema'
import { type Limits, reset } from './connection.ts'
import { RequestFailure, socketFailure, timeoutFailure } from './http/failure.ts'

export interface Listener<T> {
  phase: ProbePhase
  /** The answer, once it is whole; null until then. */
  receive(chunk: Buffer): T | null
  /** What has come is all that comes: the other side has closed, or was silent for `idleMs`. */
  end(): T
  idleMs?: number
  /** What has come when time is up; null, the rule: that is no answer. */
  expire?(): T | null
}

/** What the listener throws is why there is no answer. */
export function hear<T>(socket: Socket, listener: Listener<T>, { signal, limitMs }: Limits): Promise<T> {
  const { phase, idleMs } = listener
  return new Promise((resolve, reject) => {
    let idle: NodeJS.Timeout | undefined
    const finish = () => {
      clearTimeout(idle)
      signal.removeEventListener('abort', expire)
      socket.removeListener('data', receive)
    }
    const fail = (error: Error) => {
      finish()
      reject(error instanceof RequestFailure ? error : socketFailure(error, phase))
    }
    const answerWith = (work: () => T | null) => {
      try {
        const answer = work()
        if (answer === null) return
        finish()
        resolve(answer)
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)))
      }
    }
    const end = () => answerWith(() => listener.end())
    const receive = (chunk: Buffer) => {
      clearTimeout(idle)
      if (idleMs !== undefined) idle = setTimeout(end, idleMs)
      answerWith(() => listener.receive(chunk))
    }
    const expire = () => {
      answerWith(() => listener.expire?.() ?? null)
      fail(timeoutFailure(phase, limitMs))
    }
    signal.addEventListener('abort', expire)
    socket.on('data', receive)
    socket.once('error', fail)
    socket.once('end', end)
    socket.once('close', () => fail(reset()))
  })
}
