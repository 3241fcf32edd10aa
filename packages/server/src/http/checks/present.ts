/** Checks as the API answers them, by kind. */
import type {
  AlertChannelsSummary,
  ApiRequest,
  CheckAnswer,
  CheckKind,
  GrpcRequest,
  KeyValue,
  Subscription,
  VariableItem,
} from '@vedette/schema'
import { FREQUENCIES, MOST_SCRIPT_SECONDS, MOST_SUITE_SECONDS } from '@vedette/schema'
import { parentsOf, type ShownCheckOf } from '../../checks/check.ts'
import type { Links } from '../../links.ts'

/** Instead of a value that the reader may not see. */
export const MASK = '********'

export interface View {
  subscriptions: readonly Subscription[]
  alertChannels: AlertChannelsSummary
  /** Whether the reader sees locked values. */
  showLocked: boolean
  /** Whether the files that a script imports are wanted. */
  withDependencies: boolean
  links: Links
}

export function presentCheck<K extends CheckKind>(check: ShownCheckOf<K>, view: View): CheckAnswer<K> {
  return presenters[check.kind](check, view)
}

type Presenters = { [K in CheckKind]: (check: ShownCheckOf<K>, view: View) => CheckAnswer<K> }

const presenters: Presenters = {
  API: (check, view) => {
    const { settings } = check
    return {
      ...retrying(check, view),
      checkType: 'API',
      frequencyOffset: settings.frequencyOffset,
      request: view.showLocked ? settings.request : withoutLocked(settings.request),
      ...thresholds(settings),
      setupSnippetId: settings.setupSnippetId ?? null,
      tearDownSnippetId: settings.tearDownSnippetId ?? null,
      localSetupScript: settings.localSetupScript ?? null,
      localTearDownScript: settings.localTearDownScript ?? null,
    }
  },
  URL: (check, view) => ({
    ...retrying(check, view),
    checkType: 'URL',
    frequencyOffset: check.settings.frequencyOffset,
    request: check.settings.request,
    ...thresholds(check.settings),
  }),
  GRPC: (check, view) => ({
    ...retrying(check, view),
    checkType: 'GRPC',
    frequencyOffset: check.settings.frequencyOffset,
    request: view.showLocked ? check.settings.request : withoutLockedMetadata(check.settings.request),
    ...thresholds(check.settings),
  }),
  TCP: (check, view) => ({
    ...retrying(check, view),
    checkType: 'TCP',
    frequencyOffset: check.settings.frequencyOffset,
    request: check.settings.request,
    ...thresholds(check.settings),
  }),
  DNS: (check, view) => ({
    ...retrying(check, view),
    checkType: 'DNS',
    frequencyOffset: check.settings.frequencyOffset,
    request: check.settings.request,
    ...thresholds(check.settings),
  }),
  ICMP: (check, view) => ({
    ...retrying(check, view),
    checkType: 'ICMP',
    frequencyOffset: check.settings.frequencyOffset,
    request: check.settings.request,
    degradedPacketLossThreshold: check.settings.degradedPacketLossThreshold ?? 10,
    maxPacketLossThreshold: check.settings.maxPacketLossThreshold ?? 20,
  }),
  SSL: (check, view) => ({
    ...retrying(check, view),
    checkType: 'SSL',
    frequencyOffset: check.settings.frequencyOffset,
    request: check.settings.request,
    ...thresholds(check.settings),
  }),
  BROWSER: (check, view) => ({
    ...scripted(check, view),
    checkType: 'BROWSER',
    sslCheckDomain: check.settings.sslCheckDomain ?? null,
  }),
  MULTI_STEP: (check, view) => ({ ...scripted(check, view), checkType: 'MULTI_STEP' }),
  PLAYWRIGHT: (check, view) => {
    const { settings } = check
    return {
      ...scheduled(check, view),
      checkType: 'PLAYWRIGHT',
      environmentVariables: shownVariables(settings.environmentVariables, view.showLocked),
      timeout: settings.timeout ?? MOST_SUITE_SECONDS,
      codeBundlePath: settings.codeBundlePath,
      cacheHash: settings.cacheHash ?? null,
      testCommand: settings.testCommand ?? null,
      installCommand: settings.installCommand ?? '',
      browsers: settings.browsers ?? ['chromium'],
      playwrightVersion: settings.playwrightVersion ?? null,
      workingDir: settings.workingDir ?? null,
      engine: settings.engine ?? null,
      engineVersion: settings.engineVersion ?? null,
    }
  },
  HEARTBEAT: (check, view) => {
    const { pingToken, schedule, ...heartbeat } = check.settings.heartbeat
    const token = view.showLocked ? (pingToken ?? null) : null
    return {
      ...common(check, view),
      checkType: 'HEARTBEAT',
      heartbeat: {
        ...heartbeat,
        ...(schedule && { schedule }),
        pingToken: token,
        pingUrl: token === null ? null : view.links.ping(token),
      },
    }
  },
}

function common(check: ShownCheckOf<CheckKind>, { subscriptions, alertChannels }: View) {
  const { settings } = check
  return {
    id: check.id,
    name: check.name,
    description: settings.description,
    activated: check.activated,
    muted: check.muted,
    tags: check.tags,
    alertSettings: settings.alertSettings,
    useGlobalAlertSettings: settings.useGlobalAlertSettings,
    alertChannelSubscriptions: [...subscriptions],
    triggerIncident: settings.triggerIncident,
    runParallel: settings.runParallel,
    dependsOn: parentsOf(settings),
    alertChannels,
    created_at: check.createdAt.toISOString(),
    updated_at: check.updatedAt?.toISOString() ?? null,
  }
}

function scheduled(check: ShownCheckOf<CheckKind>, view: View) {
  const { settings } = check
  return {
    ...common(check, view),
    locations: settings.locations,
    privateLocations: settings.privateLocations,
    groupId: check.groupId,
    groupOrder: check.groupOrder,
    frequency: knownFrequency(settings.frequency),
  }
}

function retrying(check: ShownCheckOf<CheckKind>, view: View) {
  const { settings } = check
  return {
    ...scheduled(check, view),
    doubleCheck: settings.doubleCheck,
    shouldFail: settings.shouldFail,
    runtimeId: settings.runtimeId,
    retryStrategy: settings.retryStrategy ?? null,
  }
}

function scripted(check: ShownCheckOf<'BROWSER'> | ShownCheckOf<'MULTI_STEP'>, view: View) {
  const { settings } = check
  return {
    ...retrying(check, view),
    script: settings.script,
    timeout: settings.timeout ?? MOST_SCRIPT_SECONDS,
    scriptPath: settings.scriptPath ?? null,
    environmentVariables: shownVariables(settings.environmentVariables, view.showLocked),
    ...(view.withDependencies ? { dependencies: settings.dependencies ?? null } : {}),
  }
}

function thresholds(settings: {
  degradedResponseTime?: number | null | undefined
  maxResponseTime?: number | null | undefined
}) {
  return {
    degradedResponseTime: settings.degradedResponseTime ?? null,
    maxResponseTime: settings.maxResponseTime ?? null,
  }
}

function knownFrequency(minutes: number) {
  const known = FREQUENCIES.find((frequency) => frequency === minutes)
  if (known === undefined) throw new Error(`A stored check has the frequency ${minutes}.`)
  return known
}

/** Without the values of secrets, and without those of locked variables for most readers. */
export function shownVariables(items: readonly VariableItem[] | null | undefined, showLocked: boolean): VariableItem[] {
  return (items ?? []).map((item) => {
    if (item.secret) return { ...item, value: null }
    return item.locked && !showLocked ? { ...item, value: MASK } : item
  })
}

export function withoutLocked<R extends Pick<ApiRequest, 'headers' | 'queryParameters' | 'basicAuth'>>(request: R): R {
  return {
    ...request,
    headers: request.headers?.map(masked),
    queryParameters: request.queryParameters?.map(masked),
    basicAuth: request.basicAuth && { ...request.basicAuth, password: request.basicAuth.password === '' ? '' : MASK },
  }
}

function withoutLockedMetadata(request: GrpcRequest): GrpcRequest {
  const { grpcConfig } = request
  if (grpcConfig?.metadata === undefined) return request
  return { ...request, grpcConfig: { ...grpcConfig, metadata: grpcConfig.metadata.map(masked) } }
}

function masked(item: KeyValue): KeyValue {
  return item.locked ? { ...item, value: MASK } : item
}
