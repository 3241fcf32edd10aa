/** What a runner is told of a check, by kind: nothing about schedules or alerts. */
import { atEnvironment, inEnvironment, pathBelow, placeOf, readTestCommand } from '@vedette/core'
import {
  CODE_BUNDLE_PATH,
  CURRENT_RUNTIME,
  type JudgedBy,
  type KindSettings,
  MOST_SCRIPT_SECONDS,
  MOST_SUITE_SECONDS,
  type PlaywrightSettings,
  type RunnableKind,
  type RuntimeId,
  type ScriptSettings,
  type WrittenScriptKind,
} from '@vedette/schema'
import type { SettingsOf } from '../checks/check.ts'
import type { Demand } from '../db/demand.ts'

type ToldOf = { [K in RunnableKind]: { kind: K; settings: KindSettings<K> } }
export type Told = ToldOf[RunnableKind]

const scriptsJudge = { shouldFail: false, degradedResponseTime: null, maxResponseTime: null }

const scriptSettings = (settings: SettingsOf<WrittenScriptKind>, runtimeId: RuntimeId): ScriptSettings => ({
  runtimeId,
  script: settings.script ?? '',
  scriptPath: settings.scriptPath ?? null,
  limitMs: (settings.timeout ?? MOST_SCRIPT_SECONDS) * 1000,
  dependencies: settings.dependencies ?? [],
  ...scriptsJudge,
})

/** Of a path that names no bundle; nobody has it. */
const NO_BUNDLE = '0'.repeat(64)

/** What was written was checked by the rules of the kind. */
function suiteSettings(settings: SettingsOf<'PLAYWRIGHT'>, runtimeId: RuntimeId): PlaywrightSettings {
  const { codeBundlePath, workingDir, testCommand, browsers } = settings
  return {
    runtimeId,
    bundle: CODE_BUNDLE_PATH.sha256In(codeBundlePath) ?? NO_BUNDLE,
    workingDir: workingDir == null || /^\.?\/?$/.test(workingDir) ? '.' : pathBelow(workingDir),
    limitMs: (settings.timeout ?? MOST_SUITE_SECONDS) * 1000,
    args: readTestCommand(testCommand ?? null).args ?? [],
    hasPages: (browsers ?? ['chromium']).length > 0,
    ...scriptsJudge,
  }
}

const tell: {
  [K in RunnableKind]: (settings: SettingsOf<K>, demand: Demand | null, runtimeId: RuntimeId) => ToldOf[K]
} = {
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
  MULTI_STEP: (settings, _, runtimeId) => ({ kind: 'MULTI_STEP', settings: scriptSettings(settings, runtimeId) }),
  BROWSER: (settings, _, runtimeId) => ({ kind: 'BROWSER', settings: scriptSettings(settings, runtimeId) }),
  PLAYWRIGHT: (settings, _, runtimeId) => ({ kind: 'PLAYWRIGHT', settings: suiteSettings(settings, runtimeId) }),
  SSL: (settings) => ({ kind: 'SSL', settings: { request: settings.request, ...judgedBy(settings) } }),
  // A name server is asked for what it knows, whatever is deployed where.
  DNS: (settings) => ({ kind: 'DNS', settings: { request: settings.request, ...judgedBy(settings) } }),
}

/** @param runtimeId the one in force; null for kinds that need none */
export function settingsFor<K extends RunnableKind>(
  kind: K,
  settings: SettingsOf<K>,
  demand: Demand | null,
  runtimeId: RuntimeId | null,
): Told {
  return tell[kind](settings, demand, runtimeId ?? CURRENT_RUNTIME)
}

/** Whether whoever asked sends the request to another host than the check's own. */
export function isMoved(settings: SettingsOf<RunnableKind>, demand: Demand | null): boolean {
  if (!demand?.environmentUrl) return false
  const request = 'request' in settings ? settings.request : null
  if (typeof request !== 'object' || request === null || !('url' in request) || typeof request.url !== 'string')
    return true
  const { url } = request
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
