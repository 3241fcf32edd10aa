import type { Route } from '@vedette/schema'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../auth/caller.ts'
import type { Changes } from './changes.ts'
import { KEPT_MS, Kept } from './kept.ts'

const KEPT_ANSWERS = 2000
/** Larger ones are long lists, which nobody asks for over and over: they would fill the memory. */
const LARGEST_KEPT = 16 * 1024

/** Answers to keys, which ask for the same things over and over; people who look at pages do not. */
export function keptReadings(changes: Changes) {
  const answers = new Kept<string>(KEPT_ANSWERS, KEPT_MS)
  return (route: Route, caller: Caller | null, request: FastifyRequest) => {
    if (route.kept !== true || caller === null || caller.keyId === null) return null
    const { accountId, keyId } = caller
    const before = changes.versionOf(accountId)
    const name = `${accountId} ${keyId} ${caller.role} ${request.url}`
    return {
      find: () => answers.get(name, before),
      keep: (text: string) => {
        if (text.length <= LARGEST_KEPT) answers.keep(name, text, before, changes.versionOf(accountId))
      },
    }
  }
}
