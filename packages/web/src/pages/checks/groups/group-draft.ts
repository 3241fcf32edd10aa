/** A group of checks as its form holds it. */
import {
  type AlertSettings,
  type ApiAssertion,
  type CheckGroup,
  type DataCenter,
  DEFAULT_ALERT_SETTINGS,
  type GroupRetryStrategy,
  type KeyValue,
} from '@vedette/schema'
import type { GroupBody } from '../../../api/save-group.ts'
import { splitTags } from '../form/shared-draft.ts'
import { named } from '../kinds/api/draft.ts'
import { AT_ONCE } from '../retry.ts'
import { draftScripts, NO_SCRIPTS, type ScriptsDraft, writeScripts } from '../scripts/scripts.ts'
import { type DraftVariable, draftVariables, writeVariables } from '../variables/variables.ts'
import { groupRetry } from './group-retry.ts'

export interface GroupDraft extends ScriptsDraft {
  name: string
  description: string
  activated: boolean
  muted: boolean
  tags: string
  locations: readonly DataCenter[]
  privateLocations: readonly string[]
  runParallel: 'each' | 'yes' | 'no'
  retry: GroupRetryStrategy
  alerts: 'each' | 'account' | 'own'
  alertSettings: AlertSettings
  /** Ids of the channels that hear of all its checks. */
  channels: readonly number[]
  concurrency: string
  baseUrl: string
  headers: readonly KeyValue[]
  queryParameters: readonly KeyValue[]
  username: string
  password: string
  assertions: readonly ApiAssertion[]
  variables: readonly DraftVariable[]
}

/** A group without an opinion. */
export const blankGroup: GroupDraft = {
  name: '',
  description: '',
  activated: true,
  muted: false,
  tags: '',
  locations: [],
  privateLocations: [],
  runParallel: 'each',
  retry: 'FALLBACK',
  alerts: 'each',
  alertSettings: DEFAULT_ALERT_SETTINGS,
  channels: [],
  concurrency: '3',
  baseUrl: '',
  headers: [],
  queryParameters: [],
  username: '',
  password: '',
  assertions: [],
  variables: [],
  ...NO_SCRIPTS,
}

export function draftGroup(group: CheckGroup): GroupDraft {
  const { apiCheckDefaults: defaults } = group
  const retry = groupRetry(group)
  return {
    name: group.name,
    description: group.description ?? '',
    activated: group.activated,
    muted: group.muted,
    tags: group.tags.join(', '),
    locations: group.locations,
    privateLocations: group.privateLocations ?? [],
    runParallel: parallelism(group),
    retry: retry === undefined ? AT_ONCE : retry,
    alerts: alerts(group),
    alertSettings: group.alertSettings ?? DEFAULT_ALERT_SETTINGS,
    channels: group.alertChannelSubscriptions
      .filter(({ activated }) => activated)
      .map(({ alertChannelId }) => alertChannelId),
    concurrency: String(group.concurrency),
    baseUrl: defaults.url ?? '',
    headers: defaults.headers ?? [],
    queryParameters: defaults.queryParameters ?? [],
    username: defaults.basicAuth?.username ?? '',
    password: defaults.basicAuth?.password ?? '',
    assertions: defaults.assertions ?? [],
    variables: draftVariables(group.environmentVariables),
    ...draftScripts(group),
  }
}

/** A group of version 1 that says nothing decides all the same. */
function parallelism({ version, runParallel }: CheckGroup): GroupDraft['runParallel'] {
  if (runParallel === null && version === 2) return 'each'
  return runParallel ? 'yes' : 'no'
}

function alerts({ version, useGlobalAlertSettings, alertSettings }: CheckGroup): GroupDraft['alerts'] {
  if (useGlobalAlertSettings === false && alertSettings !== null) return 'own'
  return useGlobalAlertSettings || version === 1 ? 'account' : 'each'
}

export function writeGroup(draft: GroupDraft): GroupBody {
  const { username, password } = draft
  return {
    name: draft.name.trim(),
    description: draft.description.trim() === '' ? null : draft.description,
    activated: draft.activated,
    muted: draft.muted,
    tags: splitTags(draft.tags),
    locations: [...draft.locations],
    privateLocations: [...draft.privateLocations],
    runParallel: draft.runParallel === 'each' ? null : draft.runParallel === 'yes',
    retryStrategy: draft.retry,
    useGlobalAlertSettings: draft.alerts === 'each' ? null : draft.alerts === 'account',
    ...(draft.alerts === 'own' && { alertSettings: draft.alertSettings }),
    alertChannelSubscriptions: draft.channels.map((alertChannelId) => ({ alertChannelId, activated: true })),
    concurrency: Number(draft.concurrency),
    apiCheckDefaults: {
      url: draft.baseUrl.trim(),
      headers: named(draft.headers),
      queryParameters: named(draft.queryParameters),
      assertions: [...draft.assertions],
      basicAuth: username === '' && password === '' ? null : { username, password },
    },
    environmentVariables: writeVariables(draft.variables),
    ...writeScripts(draft),
  }
}
