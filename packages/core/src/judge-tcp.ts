/** Judges a connection and what came over it. */
import type { TcpAssertionSource, TcpObservation, TcpResponse, TcpSettings } from '@vedette/schema'
import { type Finders, judgeAssertions } from './assertion.ts'
import { conclude, type Judgement } from './judgement.ts'
import { firstGroup } from './pattern.ts'

interface TcpEvidence {
  answer: TcpResponse
  responseTimeMs: number
}

const finders: Finders<TcpAssertionSource, TcpEvidence> = {
  RESPONSE_DATA: ({ property }, { answer }) => [property ? firstGroup(property, answer.data) : answer.data],
  RESPONSE_TIME: (_, { responseTimeMs }) => [Math.round(responseTimeMs)],
}

/** Assertions, then time. With `shouldFail` nobody may accept the connection, and nothing else matters. */
export function judgeTcp(settings: TcpSettings, observation: TcpObservation): Judgement {
  const judged = conclude(settings, observation, (response) => ({
    assertions: judgeAssertions(settings.request.assertions ?? [], finders, {
      answer: response,
      responseTimeMs: observation.responseTimeMs,
    }),
    problem: isHungUp(settings.request, response) ? 'the connection was closed without an answer' : null,
  }))
  if (!settings.shouldFail || judged.verdict === 'error') return judged
  const { hostname, port } = settings.request
  return wasRefused(observation)
    ? { ...judged, verdict: 'passed', overMaxResponseTime: false, error: null }
    : { ...judged, verdict: 'failed', error: unrefused(observation, `${hostname}:${port}`) }
}

/** Where the data is asserted on, the assertions say whether none of it will do. */
function isHungUp({ data, assertions = [] }: TcpSettings['request'], response: TcpResponse): boolean {
  return Boolean(data) && response.data === '' && !assertions.some(({ source }) => source === 'RESPONSE_DATA')
}

/** A name that does not exist says nothing about the port. */
const wasRefused = ({ failure }: TcpObservation) => failure?.phase === 'connect' || failure?.phase === 'tls'

function unrefused({ failure }: TcpObservation, place: string): string {
  return failure?.phase === 'dns' ? failure.message : `expected no connection, but ${place} accepted one`
}
