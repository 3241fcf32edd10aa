/** Judges how a gRPC call ended. */
import {
  GRPC_STATUSES,
  type GrpcAnswer,
  type GrpcAssertionSource,
  type GrpcObservation,
  type GrpcSettings,
} from '@vedette/schema'
import { type Finders, judgeAssertions } from './assertion.ts'
import { findValues } from './json-path.ts'
import { conclude, type Judgement } from './judgement.ts'
import { firstGroup } from './pattern.ts'

export interface GrpcEvidence {
  answer: GrpcAnswer
  responseTimeMs: number
}

export const grpcFinders: Finders<GrpcAssertionSource, GrpcEvidence> = {
  RESPONSE_TIME: (_, { responseTimeMs }) => [Math.round(responseTimeMs)],
  GRPC_RESPONSE: ({ property = '' }, { answer: { message } }) => {
    if (message === null) throw new Error('no message came')
    return findValues(property, JSON.parse(message))
  },
  TEXT_BODY: ({ property }, { answer: { message } }) => [
    property ? firstGroup(property, message ?? '') : (message ?? ''),
  ],
  GRPC_METADATA: ({ property = '' }, { answer: { metadata } }) => {
    const name = property.trim().toLowerCase()
    if (name === '') return [metadata]
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined
    return value === undefined ? [] : [value]
  },
  GRPC_HEALTHCHECK_STATUS: (_, { answer: { health } }) => (health === null ? [] : [health]),
  // People write the number or the name.
  GRPC_STATUS_CODE: ({ target }, { answer: { status } }) => [
    typeof target === 'string' && /^[A-Z_]+$/.test(target) ? nameOfGrpcStatus(status) : status,
  ],
}

export const nameOfGrpcStatus = (status: number): string => GRPC_STATUSES[status] ?? String(status)

/** `shouldFail` accepts every status, and every state of health. */
export function judgeGrpc(settings: GrpcSettings, observation: GrpcObservation): Judgement {
  return conclude(settings, observation, (answer) => {
    const { assertions = [] } = settings.request
    const evidence: GrpcEvidence = { answer, responseTimeMs: observation.responseTimeMs }
    const decides = (source: GrpcAssertionSource) =>
      settings.shouldFail || assertions.some((assertion) => assertion.source === source)
    return {
      assertions: judgeAssertions(assertions, grpcFinders, evidence),
      problem: decides('GRPC_STATUS_CODE') ? null : problemOf(answer, decides('GRPC_HEALTHCHECK_STATUS')),
    }
  })
}

function problemOf({ status, statusMessage, health }: GrpcAnswer, isHealthDecided: boolean): string | null {
  if (status !== 0) {
    const why = statusMessage === '' ? '' : `: ${statusMessage}`
    return `expected the status OK, but the call ended with ${nameOfGrpcStatus(status)}${why}`
  }
  if (health === null || health === 'SERVING' || isHealthDecided) return null
  return `expected the service to be SERVING, but it is ${health}`
}
