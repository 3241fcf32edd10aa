/** What is kept of pings. */
import { hash } from 'node:crypto'
import type { Details } from './details.ts'
import { cleanOutcomes } from './outcomes.ts'

export const icmpDetails: Details<'ICMP'> = {
  keepBytes: () => 0,
  secrets: () => [],
  statusCode: () => null,
  /** Loss in percent, then milliseconds; only the loss where nothing came back. */
  phases: ({ pings }) => {
    if (pings === null) return null
    const { packetLoss, latency } = pings
    return latency === null ? [packetLoss] : [packetLoss, latency.min, latency.max, latency.stdDev]
  },
  /** Times differ always: they are kept of every run as its measurements. */
  fingerprint: ({ response, resolvedIp }, assertions) => {
    if (response === null) return null
    const errors = assertions.map(({ error }) => error).join('\n')
    return hash('sha1', `${resolvedIp} ${response.packetsReceived} ${response.packetsSent}\n${errors}`, 'base64url')
  },
  detail: ({ request }, { pings, resolvedIp, failure }, assertions, clean) => ({
    kind: 'ICMP',
    content: {
      assertions: cleanOutcomes(assertions, clean),
      request: {
        hostname: clean(request.hostname),
        ipFamily: request.ipFamily ?? 'IPv4',
        pingCount: request.pingCount ?? 10,
      },
      response: {
        resolvedIp,
        packetsSent: pings?.packetsSent ?? 0,
        packetsReceived: pings?.packetsReceived ?? 0,
        packetsLost: (pings?.packetsSent ?? 0) - (pings?.packetsReceived ?? 0),
        packetLoss: pings?.packetLoss ?? null,
        latency: pings?.latency ?? null,
        times: pings?.times ?? null,
      },
      requestError: failure === null ? null : clean(failure.message),
    },
  }),
}
