/** What comes in on descriptor 3: the job, and the wish that it end. */
import { Socket } from 'node:net'
import type { JobLine, PlaywrightJob } from '../job.ts'

const JOB_FD = 3
const { parse } = JSON
const later = setTimeout

export class Control {
  readonly #interruption = new AbortController()
  readonly #socket = new Socket({ fd: JOB_FD, readable: true, writable: false })
  readonly #job = Promise.withResolvers<PlaywrightJob>()
  #unread = ''

  constructor() {
    this.#socket.setEncoding('utf8')
    this.#socket.on('data', (text: string) => this.#hear(text))
    this.#socket.on('error', (error) => this.#job.reject(error))
    this.#socket.on('end', () => this.#job.reject(new Error('no job came')))
  }

  async job(): Promise<PlaywrightJob> {
    const job = await this.#job.promise
    // A program ends when nothing is left to wait for: we are nothing.
    this.#socket.unref()
    return job
  }

  get interruption(): AbortSignal {
    return this.#interruption.signal
  }

  interruptAfter(limitMs: number): void {
    later(() => this.#interruption.abort(), limitMs).unref()
  }

  #hear(text: string): void {
    const lines = (this.#unread + text).split('\n')
    this.#unread = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') continue
      // What the runner outside has written: there is nobody else at the other end.
      const said: JobLine = parse(line)
      if (said.is === 'job') this.#job.resolve(said.job)
      else this.#interruption.abort()
    }
  }
}
