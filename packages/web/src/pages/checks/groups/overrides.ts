/** Where a group overrides its checks, a sentence each; null where it leaves the setting to them. */
import type { CheckGroup } from '@vedette/schema'
import { locationName } from '../../../api/location-name.ts'
import { alertWords } from '../alert-words.ts'
import { requestWords } from '../request-words.ts'
import { retrySentence } from '../retry.ts'
import { placesOf } from '../scripts/scripts.ts'
import { groupRetry } from './group-retry.ts'

export interface Overrides {
  activated: string | null
  muted: string | null
  tags: string | null
  locations: string | null
  runParallel: string | null
  retry: string | null
  alerts: string | null
  channels: string | null
  request: string | null
  before: string | null
  after: string | null
}

export const NO_OVERRIDES: Overrides = {
  activated: null,
  muted: null,
  tags: null,
  locations: null,
  runParallel: null,
  retry: null,
  alerts: null,
  channels: null,
  request: null,
  before: null,
  after: null,
}

export function overridesOf(group: CheckGroup): Overrides {
  const places = [...group.locations.map(locationName), ...(group.privateLocations ?? [])]
  const told = group.alertChannelSubscriptions.some(({ activated }) => activated)
  return {
    activated: group.activated ? null : 'It is paused: the check runs when both are active.',
    muted: group.muted ? 'It is muted, and so is the check.' : null,
    tags: group.tags.length === 0 ? null : `It adds ${group.tags.join(', ')}.`,
    locations: places.length === 0 ? null : `It runs its checks in ${places.join(', ')}, instead of those chosen here.`,
    runParallel: parallelism(group),
    retry: retries(group),
    alerts: alerts(group),
    channels: told ? 'Its channels hear of the check too.' : null,
    request: requests(group),
    ...scripts(group),
  }
}

function parallelism({ version, runParallel }: CheckGroup): string | null {
  if (runParallel === null && version === 2) return null
  return runParallel
    ? 'It runs its checks in all locations at once.'
    : 'It runs its checks in one location after the other.'
}

function retries(group: CheckGroup): string | null {
  const retry = groupRetry(group)
  return retry === 'FALLBACK' ? null : `It decides: ${retrySentence(retry)}.`
}

function alerts({ version, useGlobalAlertSettings, alertSettings }: CheckGroup): string | null {
  const account = 'It decides: the account’s settings.'
  if (useGlobalAlertSettings === null) return version === 1 ? account : null
  if (useGlobalAlertSettings) return account
  if (alertSettings === null) return version === 1 ? account : null
  return `It decides: ${alertWords(alertSettings)}.`
}

function scripts(group: CheckGroup): Pick<Overrides, 'before' | 'after'> {
  const { before, after } = placesOf(group)
  return {
    before: before && `It has ${before}, run before what stands here.`,
    after: after && `It has ${after}, run after what stands here.`,
  }
}

function requests({ apiCheckDefaults }: CheckGroup): string | null {
  const { url, basicAuth } = apiCheckDefaults
  const added = [requestWords(apiCheckDefaults), basicAuth?.username ? 'basic auth' : ''].filter((part) => part !== '')
  const sentences = [
    ...(added.length > 0 ? [`It adds ${added.join(', ')}; what the check says itself goes first.`] : []),
    ...(url ? [`{{GROUP_BASE_URL}} stands for ${url}.`] : []),
  ]
  return sentences.length === 0 ? null : sentences.join(' ')
}
