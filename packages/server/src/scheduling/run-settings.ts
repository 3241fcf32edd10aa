/** What a runner is told of a check, by kind: nothing about schedules or alerts. */
import { atEnvironment, inEnvironment, placeOf } from '@vedette/core'
import type { JudgedBy, KindSettings, RunnableKind } from '@vedette/schema'
import type { SettingsOf } from '../checks/check.ts'
import type { Demand } from '../db/demand.ts'

type ToldOf = { [K in RunnableKind]: { kind: K; settings: KindSettings<K> } }
export type Told = ToldOf[RunnableKind]

const tell: { [K in RunnableKind]: (settings: SettingsOf<K>, demand: Demand | null) => ToldOf[K] } = {
  API: (settings, demand) => ({
    kind: 'API',
    settings: { request: forDemand(settings.request, demand, inEnvironment), ...judgedBy(settings) },
  }),
  GRPC: (settings) => ({ kind: 'GRPC', settings: { request: settings.request, ...judgedBy(settings) } }),
  URL: (settings, demand) => ({
    kind: 'URL',
    settings: {
      request: forDemand(settings.request, demand, (request, environment) => ({
        ...request,
        url: atEnvironment(request.url, environment),
      })),
      ...judgedBy(settings),
    },
  }),
  ICMP: (settings) => ({
    kind: 'ICMP',
    settings: {
      request: settings.request,
      ...judgedBy(settings),
      degradedPacketLossThreshold: settings.degradedPacketLossThreshold ?? 10,
      maxPacketLossThreshold: settings.maxPacketLossThreshold ?? 20,
    },
  }),
  TCP: (settings) => ({ kind: 'TCP', settings: { request: settings.request, ...judgedBy(settings) } }),
  SSL: (settings) => ({ kind: 'SSL', settings: { request: settings.request, ...judgedBy(settings) } }),
  // A name server is asked for what it knows, whatever is deployed where.
  DNS: (settings) => ({ kind: 'DNS', settings: { request: settings.request, ...judgedBy(settings) } }),
}

export function settingsFor<K extends RunnableKind>(kind: K, settings: SettingsOf<K>, demand: Demand | null): Told {
  return tell[kind](settings, demand)
}

/** Whether whoever asked sends the request to another host than the check's own. */
export function isMoved(settings: SettingsOf<RunnableKind>, demand: Demand | null): boolean {
  if (!demand?.environmentUrl) return false
  if (!('request' in settings && 'url' in settings.request)) return true
  const { url } = settings.request
  return placeOf(atEnvironment(url, demand.environmentUrl)) !== placeOf(url)
}

function forDemand<R>(request: R, demand: Demand | null, moved: (request: R, environment: string) => R): R {
  return demand?.environmentUrl ? moved(request, demand.environmentUrl) : request
}

function judgedBy(settings: { [P in keyof JudgedBy]?: JudgedBy[P] | undefined }): JudgedBy {
  return {
    shouldFail: settings.shouldFail ?? false,
    degradedResponseTime: settings.degradedResponseTime ?? null,
    maxResponseTime: settings.maxResponseTime ?? null,
  }
}
