/**
 * Pings by the program ping of the machine, which has the right to: this process needs none. It is given an address that
 * the dialer has allowed, never a name, and no shell is between us.
 */
import { spawn } from 'node:child_process'
import { isIPv6 } from 'node:net'
import type { IcmpObservation, IcmpPings } from '@vedette/schema'
import { addressWithin } from './address.ts'
import { ownFailure, RequestFailure, targetFailure } from './http/failure.ts'
import { readPings } from './ping-output.ts'
import type { Probe, RunContext } from './probe.ts'

/** The fastest that ping allows to those without privileges. */
const INTERVAL_SECONDS = '0.2'
/** How long the last ones are waited for where none was answered. */
const WAIT_SECONDS = '2'
const OUTPUT_LIMIT = 64 * 1024

/** With the name of the program, for tests. */
export function pingingWith(program: string): Probe<'ICMP'> {
  return {
    async observe({ request: { hostname, ipFamily, pingCount = 10 } }, context): Promise<IcmpObservation> {
      const startedAt = performance.now()
      let resolvedIp: string | null = null
      let pings: IcmpPings | null = null
      try {
        resolvedIp = await addressWithin(hostname, ipFamily, context)
        pings = await ping(program, resolvedIp, pingCount, context)
        if (pings.latency === null) {
          const none = pingCount === 1 ? 'the ping was not answered' : `none of ${pingCount} pings was answered`
          throw targetFailure('answer', 'ETIMEDOUT', none)
        }
        return { resolvedIp, pings, response: pings, failure: null, responseTimeMs: pings.latency.avg }
      } catch (error) {
        if (!(error instanceof RequestFailure)) throw error
        const { blame, code, message, phase } = error
        const responseTimeMs = performance.now() - startedAt
        return { resolvedIp, pings, response: null, failure: { blame, code, message, phase }, responseTimeMs }
      }
    },
  }
}

export const icmpProbe = pingingWith('ping')

function ping(program: string, address: string, count: number, { signal, limitMs }: RunContext): Promise<IcmpPings> {
  const family = isIPv6(address) ? '-6' : '-4'
  const options = [family, '-n', '-c', String(count), '-i', INTERVAL_SECONDS, '-W', WAIT_SECONDS, address]
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(tooLong(limitMs))
      return
    }
    // Debian keeps it where every user looks, others where only root does.
    const path = `${process.env.PATH ?? ''}:/usr/bin:/bin:/usr/sbin:/sbin`
    const child = spawn(program, options, {
      env: { PATH: path, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    })
    let output = ''
    let complaints = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < OUTPUT_LIMIT) output += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (complaints.length < OUTPUT_LIMIT) complaints += text
    })
    child.once('error', (error) => {
      if (signal.aborted) reject(tooLong(limitMs))
      else if ('code' in error && error.code === 'ENOENT') reject(notInstalled())
      else reject(ownFailure('send', 'ERR_PING', `ping could not be started (${error.message})`))
    })
    child.once('close', () => {
      const pings = readPings(output)
      if (pings === null) reject(signal.aborted ? tooLong(limitMs) : complaintOf(complaints || output))
      else resolve(pings)
    })
  })
}

function notInstalled(): RequestFailure {
  const hint = 'install it (Debian and Ubuntu: iputils-ping)'
  return ownFailure('send', 'ERR_NO_PING', `the program ping is not there on this runner: ${hint}`)
}

/** Ping ends by itself well before the limit. */
const tooLong = (limitMs: number) =>
  ownFailure('answer', 'ERR_PING_TOO_LONG', `ping did not end within ${limitMs / 1000} s`)

/** What keeps it from sending is something here: no right to, no route, a filter. */
function complaintOf(text: string): RequestFailure {
  const lines = text.split('\n').map((line) => line.trim())
  const said = lines.find((line) => /not permitted|denied|unreachable/i.test(line)) ?? lines.find((line) => line !== '')
  const reason = said?.replace(/^ping6?: /, '') ?? 'it said nothing'
  if (!/not permitted|denied/i.test(reason)) return ownFailure('send', 'ERR_PING', `no ping could be sent: ${reason}`)
  const hint = 'give ping the capability cap_net_raw, or the user a place in net.ipv4.ping_group_range'
  return ownFailure('send', 'ERR_PING_NOT_PERMITTED', `this runner may not send pings (${reason}): ${hint}`)
}
