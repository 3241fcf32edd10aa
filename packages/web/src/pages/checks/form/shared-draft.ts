/** The settings that all kinds share, as the form holds them. */
import type {
  AlertSettings,
  DataCenter,
  HeartbeatCheck,
  HeartbeatCheckCreate,
  Location,
  RetryStrategy,
  UrlCheck,
  UrlCheckCreate,
} from '@vedette/schema'
import { fromOption, type ScriptFrequency, scriptFrequency, toOption } from '../frequency.ts'

export interface SharedDraft {
  name: string
  groupId: number | null
  description: string
  activated: boolean
  muted: boolean
  tags: string
  locations: readonly DataCenter[]
  privateLocations: readonly string[]
  runParallel: boolean
  frequency: string
  /** Undefined leaves it to the server, which tries again once, at once. */
  retry: RetryStrategy | null | undefined
  /** Ids of the channels that hear of the check. */
  channels: readonly number[]
  useGlobalAlertSettings: boolean
  alertSettings: AlertSettings | null
  /** Ids of checks. */
  dependsOn: readonly string[]
}

export function blankShared(
  locations: readonly Location[],
  isDataCenter: (region: string) => region is DataCenter,
): SharedDraft {
  const served = locations.filter(({ servedBy }) => servedBy !== 'nobody')
  const first = served.find(({ servedBy }) => servedBy === 'built-in') ?? served[0]
  return {
    name: '',
    groupId: null,
    description: '',
    activated: true,
    muted: false,
    tags: '',
    locations: first && isDataCenter(first.region) ? [first.region] : [],
    privateLocations: [],
    runParallel: false,
    frequency: '1',
    retry: undefined,
    channels: [],
    useGlobalAlertSettings: true,
    alertSettings: null,
    dependsOn: [],
  }
}

/** What the answers of all kinds that send a request have in common, and the bodies that make them. */
type OfUrl = 'checkType' | 'request' | 'degradedResponseTime' | 'maxResponseTime'
type Retrying = 'retryStrategy' | 'doubleCheck' | 'shouldFail' | 'runtimeId'
type SharedAnswer = Omit<UrlCheck, OfUrl | Retrying | 'frequencyOffset'> &
  Partial<Pick<UrlCheck, Retrying | 'frequencyOffset'>>
type SharedBody = Omit<UrlCheckCreate, OfUrl>

export function draftShared(check: SharedAnswer): SharedDraft {
  return {
    name: check.name,
    groupId: check.groupId,
    description: check.description ?? '',
    activated: check.activated,
    muted: check.muted,
    tags: check.tags.join(', '),
    locations: check.locations,
    privateLocations: check.privateLocations,
    runParallel: check.runParallel,
    frequency: toOption(check.frequency, check.frequencyOffset ?? 0),
    // Without a strategy the older switch says whether there is one retry or none.
    retry: check.retryStrategy ?? (check.doubleCheck ? undefined : null),
    channels: check.alertChannelSubscriptions
      .filter(({ activated }) => activated)
      .map(({ alertChannelId }) => alertChannelId),
    useGlobalAlertSettings: check.useGlobalAlertSettings ?? true,
    alertSettings: check.alertSettings,
    dependsOn: check.dependsOn,
  }
}

/** The shared part of the body that creates or updates a check. */
export function writeShared(draft: SharedDraft): SharedBody {
  const { channels, retry, tags, frequency, description, alertSettings, useGlobalAlertSettings, ...plain } = draft
  return {
    ...plain,
    ...fromOption(frequency),
    locations: [...plain.locations],
    privateLocations: [...plain.privateLocations],
    dependsOn: [...plain.dependsOn],
    description: description.trim() === '' ? null : description,
    tags: splitTags(tags),
    ...(retry !== undefined && { retryStrategy: retry, doubleCheck: retry !== null }),
    useGlobalAlertSettings,
    ...(!useGlobalAlertSettings && { alertSettings }),
    alertChannelSubscriptions: channels.map((alertChannelId) => ({ alertChannelId, activated: true })),
  }
}

/** Scripts run at most once a minute, and the server spreads them. */
export function writeScriptShared(
  draft: SharedDraft,
): Omit<SharedBody, 'frequency' | 'frequencyOffset'> & { frequency: ScriptFrequency } {
  const { frequencyOffset: _, ...body } = writeShared(draft)
  return { ...body, frequency: scriptFrequency(draft.frequency) }
}

/** What runs a suite, which tries again by itself. */
export function writeSuiteShared(
  draft: SharedDraft,
): Omit<ReturnType<typeof writeScriptShared>, 'retryStrategy' | 'doubleCheck'> {
  const { retryStrategy: _, doubleCheck: __, ...body } = writeScriptShared(draft)
  return body
}

/** What a check has that nobody runs. */
export function draftCommon(check: Omit<HeartbeatCheck, 'checkType' | 'heartbeat'>): SharedDraft {
  return {
    ...blankShared([], (_region): _region is DataCenter => false),
    name: check.name,
    description: check.description ?? '',
    activated: check.activated,
    muted: check.muted,
    tags: check.tags.join(', '),
    channels: check.alertChannelSubscriptions
      .filter(({ activated }) => activated)
      .map(({ alertChannelId }) => alertChannelId),
    useGlobalAlertSettings: check.useGlobalAlertSettings ?? true,
    alertSettings: check.alertSettings,
    dependsOn: check.dependsOn,
  }
}

export function writeCommon(draft: SharedDraft): Omit<HeartbeatCheckCreate, 'heartbeat'> {
  const { name, description, activated, muted, tags, useGlobalAlertSettings, alertSettings, channels, dependsOn } =
    draft
  return {
    name,
    dependsOn: [...dependsOn],
    description: description.trim() === '' ? null : description,
    activated,
    muted,
    tags: splitTags(tags),
    useGlobalAlertSettings,
    ...(!useGlobalAlertSettings && { alertSettings }),
    alertChannelSubscriptions: channels.map((alertChannelId) => ({ alertChannelId, activated: true })),
  }
}

export const splitTags = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
]
