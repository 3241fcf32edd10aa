/** Names → addresses, all of them judged before any is dialled. */
import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type EgressPolicy, judgeAddress } from '@vedette/core'
import { DeliveryError } from './channel.ts'

/**
 * The addresses behind a host. One that is not allowed refuses the host as a whole: a name that mixes good and bad
 * answers is out to get through.
 *
 * @throws DeliveryError for an address that is not allowed, Error for a name that cannot be resolved.
 */
export async function allowedAddresses(host: string, egress: EgressPolicy): Promise<LookupAddress[]> {
  const family = isIP(host)
  const found = family === 0 ? await resolve(host) : [{ address: host, family }]
  if (found.length === 0) throw new Error(`The name ${host} has no address`)
  for (const { address } of found) refuseUnlessAllowed(address, egress)
  return found
}

export function refuseUnlessAllowed(address: string, egress: EgressPolicy): void {
  const decision = judgeAddress(address, egress)
  if (!decision.allowed) throw new DeliveryError(`Not sent: ${decision.reason}`, { retry: false })
}

/** Answers that leave the hosts file and the search domains of the machine to be asked. */
const UNKNOWN_TO_DNS = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME', 'ECONNREFUSED', 'EBADNAME'])

async function resolve(name: string): Promise<LookupAddress[]> {
  // The system's look-up blocks one of few threads, so a dead name server must not be met there first.
  if (name.includes('.')) {
    const resolver = new Resolver({ timeout: 1000, tries: 2 })
    const answers = await Promise.allSettled([
      resolver.resolve4(name).then((found) => found.map((address) => ({ address, family: 4 }))),
      resolver.resolve6(name).then((found) => found.map((address) => ({ address, family: 6 }))),
    ])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return found
    for (const answer of answers) {
      if (answer.status === 'rejected' && !UNKNOWN_TO_DNS.has(answer.reason?.code)) throw answer.reason
    }
  }
  return lookup(name, { all: true })
}
