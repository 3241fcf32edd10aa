import type { ApiTimingPhases } from '@vedette/schema'
import type { Phase } from '../../../../components/phases.tsx'

const phases = [
  { key: 'wait', name: 'Wait', explanation: 'Until the request could begin' },
  { key: 'dns', name: 'DNS', explanation: 'Looking up the name' },
  { key: 'tcp', name: 'Connect', explanation: 'Connecting, with the TLS handshake' },
  { key: 'firstByte', name: 'First byte', explanation: 'Waiting for the answer to begin' },
  { key: 'download', name: 'Download', explanation: 'Receiving the rest of the answer' },
] as const satisfies readonly { key: keyof ApiTimingPhases; name: string; explanation: string }[]

/** Each phase begins where the one before it ended. */
export function phasesOf(timings: ApiTimingPhases): Phase[] {
  let startMs = 0
  return phases.map(({ key, name, explanation }) => {
    const phase = { name, explanation, startMs, ms: timings[key] }
    startMs += phase.ms
    return phase
  })
}
