/** Calls a gRPC service: its health, or a method that the user names. */
import { fromBinary, fromJson, toBinary, toJson } from '@bufbuild/protobuf'
import type { GrpcAnswer, GrpcConfig, GrpcHealth, GrpcSentRequest } from '@vedette/schema'
import { addressWithin } from './address.ts'
import { type Connected, connect } from './connection.ts'
import { call, type GrpcReply, openSession } from './grpc/call.ts'
import {
  type Definition,
  definitionFromServer,
  definitionFromText,
  splitMethod,
  wrongSettings,
} from './grpc/definition.ts'
import { HEALTH_CHECK, healthRequest, readHealth } from './grpc/health.ts'
import { RequestFailure, targetFailure } from './http/failure.ts'
import { withinLimit } from './limit.ts'
import type { Probe, RunContext } from './probe.ts'

export const grpcProbe: Probe<'GRPC'> = {
  async observe({ request }, context) {
    const startedAt = performance.now()
    const { grpcConfig: config = {}, port = 443, timeout = 10 } = request
    const { mode = 'HEALTH', method = '', message = '', metadata = [] } = config
    const sent: GrpcSentRequest = {
      url: request.url,
      port,
      method: mode === 'HEALTH' ? HEALTH_CHECK : `/${method.replace(/^\//, '')}`,
      metadata: Object.fromEntries(metadata.map(({ key, value }) => [key, value])),
      message: mode === 'HEALTH' ? JSON.stringify({ service: config.service ?? '' }) : message,
    }
    try {
      const response = await withinLimit(timeout * 1000, context, async (limited) => {
        const address = await addressWithin(request.url, request.ipFamily, limited)
        const secure = config.tls !== false
        const tls = secure ? { host: request.url, skipSSL: request.skipSSL === true, protocols: ['h2'] } : null
        return connect({ address, port, tls }, limited, (connected) => {
          if (secure && connected.protocol !== 'h2')
            throw targetFailure('tls', 'ERR_NO_HTTP2', 'the server does not offer HTTP/2, which gRPC needs')
          const found = { ...connected, address, beganAt: startedAt }
          return converse(found, config, sent, `${request.url}:${port}`, limited)
        })
      })
      return { request: sent, response, failure: null, responseTimeMs: performance.now() - startedAt }
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      const { blame, code, message, phase } = error
      const failure = { blame, code, message, phase }
      return { request: sent, response: null, failure, responseTimeMs: performance.now() - startedAt }
    }
  },
}

/** With the address, and when looking it up began. */
interface Reached extends Connected {
  address: string
  beganAt: number
}

async function converse(
  connected: Reached,
  config: GrpcConfig,
  sent: GrpcSentRequest,
  authority: string,
  context: RunContext,
): Promise<GrpcAnswer> {
  const session = openSession(connected.socket, authority, config.tls !== false)
  try {
    const metadata = (config.metadata ?? []).map(({ key, value }) => [key, value] as const)
    const ask = (path: string, message: Uint8Array) => call(session, { path, metadata, message }, context)
    if ((config.mode ?? 'HEALTH') === 'HEALTH') {
      const reply = await ask(HEALTH_CHECK, healthRequest(config.service ?? ''))
      const [first] = reply.messages
      const health = reply.status === 0 && first !== undefined ? readHealth(first) : null
      return answered(connected, reply, health === null ? null : JSON.stringify({ status: health }), health)
    }
    const definition =
      config.serviceDefinition === 'PROTO_FILE'
        ? definitionFromText(config.protoContent ?? '', config.method ?? '')
        : await definitionFromServer(ask, config.method ?? '')
    const reply = await ask(pathOf(definition), encode(definition, sent.message))
    return answered(connected, reply, decode(definition, reply), null)
  } finally {
    session.destroy()
  }
}

const pathOf = ({ method }: Definition) => `/${method.parent.typeName}/${method.name}`

function encode({ method, registry }: Definition, text: string): Uint8Array {
  if (method.methodKind === 'client_streaming' || method.methodKind === 'bidi_streaming')
    throw wrongSettings(`${splitMethod(pathOf({ method, registry })).method} takes a stream of messages, not one`)
  try {
    return toBinary(method.input, fromJson(method.input, JSON.parse(text.trim() === '' ? '{}' : text), { registry }))
  } catch (error) {
    throw wrongSettings(
      `the message does not fit ${method.input.typeName}: ${error instanceof Error ? error.message : error}`,
    )
  }
}

/** Of a method that answers with a stream: a list of all that came. */
function decode({ method, registry }: Definition, { messages }: GrpcReply): string | null {
  if (messages.length === 0) return null
  try {
    const values = messages.map((bytes) =>
      toJson(method.output, fromBinary(method.output, bytes), { registry, alwaysEmitImplicit: true }),
    )
    return JSON.stringify(method.methodKind === 'server_streaming' ? values : values[0])
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw targetFailure('body', 'ERR_GRPC_MESSAGE', `the answer is no ${method.output.typeName}: ${reason}`)
  }
}

function answered(
  { address, beganAt, startedAt, readyAt }: Reached,
  { status, statusMessage, metadata, truncated, firstByteAt, endedAt }: GrpcReply,
  message: string | null,
  health: GrpcHealth | null,
): GrpcAnswer {
  const timingPhases = {
    wait: 0,
    dns: round(startedAt - beganAt),
    tcp: round(readyAt - startedAt),
    firstByte: round(firstByteAt - readyAt),
    download: round(endedAt - firstByteAt),
    total: round(endedAt - beganAt),
  }
  return { status, statusMessage, health, metadata, message, truncated, resolvedIp: address, timingPhases }
}

const round = (ms: number) => Math.round(ms * 1000) / 1000
