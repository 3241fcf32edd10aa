/** Whoever has a line to the telephone network. */
import type { HttpAnswer, HttpRequest } from './http-message.ts'
import type { Judgement } from './provider-answer.ts'

export interface PhoneGateway {
  /** The request that writes a text to a number. */
  write(number: string, text: string): HttpRequest
  /** The request that calls a number and reads a text aloud. */
  call(number: string, text: string): HttpRequest
  judge(answer: HttpAnswer): Judgement
  /** Must not be shown, nor come back. */
  readonly secrets: readonly string[]
}
