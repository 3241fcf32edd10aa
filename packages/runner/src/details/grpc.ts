/** What is kept of a gRPC call. */
import { hash } from 'node:crypto'
import type { GrpcCheckResult } from '@vedette/schema'
import type { Details } from './details.ts'
import { isCredential, MASK, mapValues, type Scrub } from './masks.ts'
import { cleanOutcomes } from './outcomes.ts'

const STORED_LIMIT = 64 * 1024

export const grpcDetails: Details<'GRPC'> = {
  keepBytes: () => STORED_LIMIT,
  secrets: ({ request }) =>
    (request.grpcConfig?.metadata ?? [])
      .filter(({ key, locked }) => locked || isCredential(key))
      .map(({ value }) => value),
  statusCode: ({ response }) => response?.status ?? null,
  phases: ({ response }) => {
    if (response === null) return null
    const { wait, dns, tcp, firstByte, download } = response.timingPhases
    return [wait, dns, tcp, firstByte, download]
  },
  fingerprint: ({ response }, assertions) => {
    if (response === null) return null
    const { status, statusMessage, health, message } = response
    const errors = assertions.map(({ error }) => error)
    return hash('sha1', JSON.stringify([status, statusMessage, health, message, errors]), 'base64url')
  },
  detail: ({ request }, { request: sent, response, failure }, assertions, clean) => {
    const locked = new Set((request.grpcConfig?.metadata ?? []).filter((item) => item.locked).map(({ key }) => key))
    const masked = (values: Record<string, string>, isSent: boolean) =>
      mapValues(values, (value, name) => (isCredential(name) || (isSent && locked.has(name)) ? MASK : clean(value)))
    const content: GrpcCheckResult = {
      grpcStatusCode: response?.status ?? null,
      healthStatus: response?.health ?? null,
      timingPhases: response?.timingPhases ?? null,
      requestError: failure === null ? null : clean(failure.message),
      request: { ...sent, metadata: masked(sent.metadata, true), message: shortened(clean(sent.message)) },
      assertions: cleanOutcomes(assertions, clean),
      response: response && {
        resolvedIp: response.resolvedIp,
        statusMessage: clean(response.statusMessage),
        metadata: masked(response.metadata, false),
        message: shortened(clean(response.message ?? '')),
        truncated: response.truncated || (response.message ?? '').length > STORED_LIMIT,
      },
    }
    return { kind: 'GRPC', content }
  },
}

const shortened: Scrub = (text) => text.slice(0, STORED_LIMIT)
