/** A gRPC check as its form holds it. */
import type {
  GrpcAssertionSource,
  GrpcCheck,
  GrpcCheckCreate,
  GrpcConfig,
  GrpcRequest,
  KeyValue,
} from '@vedette/schema'
import { splitAddress } from '../address.ts'
import { named } from '../api/draft.ts'
import type { DraftAssertion } from '../assertions/words.ts'
import { draftThresholds, type Thresholds, writeThresholds } from '../thresholds.ts'

export interface GrpcDraft extends Thresholds {
  url: string
  port: string
  ipFamily: NonNullable<GrpcRequest['ipFamily']>
  skipSSL: boolean
  timeout: string
  mode: NonNullable<GrpcConfig['mode']>
  tls: boolean
  metadata: readonly KeyValue[]
  service: string
  serviceDefinition: NonNullable<GrpcConfig['serviceDefinition']>
  method: string
  protoContent: string
  message: string
  assertions: readonly DraftAssertion<GrpcAssertionSource>[]
  shouldFail: boolean
}

export const blankGrpc = (address: string): GrpcDraft => {
  const { host, port } = splitAddress(address)
  return {
    url: host,
    port: port ?? '443',
    ipFamily: 'IPv4',
    skipSSL: false,
    timeout: '10',
    mode: 'HEALTH',
    tls: true,
    metadata: [],
    service: '',
    serviceDefinition: 'REFLECTION',
    method: '',
    protoContent: '',
    message: '',
    assertions: [],
    degradedResponseTime: '3000',
    maxResponseTime: '5000',
    shouldFail: false,
  }
}

export function draftGrpc(check: GrpcCheck): GrpcDraft {
  const { url, port = 443, ipFamily = 'IPv4', skipSSL = false, timeout = 10, assertions = [] } = check.request
  const config = check.request.grpcConfig ?? {}
  return {
    url,
    port: String(port),
    ipFamily,
    skipSSL,
    timeout: String(timeout),
    mode: config.mode ?? 'HEALTH',
    tls: config.tls ?? true,
    metadata: config.metadata ?? [],
    service: config.service ?? '',
    serviceDefinition: config.serviceDefinition ?? 'REFLECTION',
    method: config.method ?? '',
    protoContent: config.protoContent ?? '',
    message: config.message ?? '',
    assertions,
    ...draftThresholds(check),
    shouldFail: check.shouldFail,
  }
}

type GrpcPart = Pick<GrpcCheckCreate, 'request' | 'degradedResponseTime' | 'maxResponseTime' | 'shouldFail'>

export function writeGrpc(draft: GrpcDraft): GrpcPart {
  const { url, port, timeout, ipFamily, skipSSL, assertions, shouldFail, metadata } = draft
  const { mode, tls, service, serviceDefinition, method, protoContent, message } = draft
  const typed = splitAddress(url)
  return {
    request: {
      url: typed.host,
      port: Number(typed.port ?? port),
      ipFamily,
      skipSSL,
      timeout: Number(timeout),
      grpcConfig: {
        mode,
        tls,
        metadata: named(metadata),
        service: service.trim(),
        serviceDefinition,
        method: method.trim(),
        protoContent,
        message,
      },
      assertions: [...assertions],
    },
    ...writeThresholds(draft),
    shouldFail,
  }
}
