/** What answers of services with a published interface mean. */
import type { HttpAnswer } from './http-message.ts'

export type Judgement = 'accepted' | 'refused' | 'again'

/** Refusals stay refusals, except for those that ask for patience. Redirects are not followed, so nothing was taken. */
export function judgeByStatus({ status }: Pick<HttpAnswer, 'status'>): Judgement {
  if (status >= 200 && status < 300) return 'accepted'
  return status === 408 || status === 429 || status >= 500 ? 'again' : 'refused'
}
