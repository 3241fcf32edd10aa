/** Judges what became of some pings. */
import {
  type IcmpAssertionSource,
  type IcmpObservation,
  type IcmpPings,
  type IcmpSettings,
  LATENCIES,
} from '@vedette/schema'
import { type Finders, judgeAssertions } from './assertion.ts'
import { findValues } from './json-path.ts'
import { conclude, type Judgement } from './judgement.ts'

interface IcmpEvidence {
  pings: IcmpPings
  resolvedIp: string | null
}

const finders: Finders<IcmpAssertionSource, IcmpEvidence> = {
  LATENCY: ({ property = '' }, { pings: { latency } }) => {
    const wanted = LATENCIES.find((one) => one.toLowerCase() === (property.trim().toLowerCase() || 'avg'))
    if (wanted === undefined) throw new Error(`there is no latency "${property}", only ${LATENCIES.join(', ')}`)
    return latency === null ? [] : [latency[wanted]]
  },
  JSON_RESPONSE: ({ property = '' }, { pings, resolvedIp }) => findValues(property, { ...pings, resolvedIp }),
}

/** Assertions, then loss. With `shouldFail` nobody may answer, and nothing else matters. */
export function judgeIcmp(settings: IcmpSettings, observation: IcmpObservation): Judgement {
  const { request, shouldFail, degradedPacketLossThreshold, maxPacketLossThreshold } = settings
  const { resolvedIp } = observation
  const judged = conclude(settings, observation, (pings) => ({
    assertions: judgeAssertions(request.assertions ?? [], finders, { pings, resolvedIp }),
    problem: lossAbove(maxPacketLossThreshold, pings),
    weakness: lossAbove(degradedPacketLossThreshold, pings),
  }))
  if (!shouldFail || judged.verdict === 'error') return judged
  // A name that does not exist says nothing about the host.
  if (observation.failure?.phase === 'dns') return judged
  return observation.failure === null
    ? { ...judged, verdict: 'failed', error: `expected no answer, but ${request.hostname} answers pings` }
    : { ...judged, verdict: 'passed', error: null }
}

function lossAbove(percent: number, { packetLoss, packetsSent, packetsReceived }: IcmpPings): string | null {
  if (packetLoss <= percent) return null
  return `${packetsSent - packetsReceived} of ${packetsSent} pings were lost, more than the allowed ${percent} %`
}
