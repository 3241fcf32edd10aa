/** What is kept of a connection. */
import { hash } from 'node:crypto'
import type { Details } from './details.ts'
import { cleanOutcomes } from './outcomes.ts'

/** More is not read: an answer that goes on is cut there. */
const READ_LIMIT = 64 * 1024

export const tcpDetails: Details<'TCP'> = {
  /** None of it when the connection is all that is asked for. */
  keepBytes: ({ request: { data, assertions = [] } }) =>
    data || assertions.some(({ source }) => source === 'RESPONSE_DATA') ? READ_LIMIT : 0,
  secrets: () => [],
  statusCode: () => null,
  phases: ({ response }) => {
    if (response === null) return null
    const { dns, connection, data } = response.timingPhases
    return [0, dns, connection, data, 0]
  },
  fingerprint: ({ response, resolvedIp }, assertions) => {
    if (response === null) return null
    const errors = assertions.map(({ error }) => error).join('\n')
    return hash('sha1', `${resolvedIp} ${response.truncated}\n${errors}\n${response.data}`, 'base64url')
  },
  detail: ({ request }, { response, resolvedIp, failure }, assertions, clean) => ({
    kind: 'TCP',
    content: {
      assertions: cleanOutcomes(assertions, clean),
      request: {
        hostname: clean(request.hostname),
        port: request.port,
        data: request.data ? clean(request.data) : null,
        ipFamily: request.ipFamily ?? 'IPv4',
        tls: request.tls ?? false,
      },
      response: {
        data: clean(response?.data ?? ''),
        truncated: response?.truncated ?? false,
        resolvedIp,
        timingPhases: response?.timingPhases ?? null,
      },
      requestError: failure === null ? null : clean(failure.message),
    },
  }),
}
