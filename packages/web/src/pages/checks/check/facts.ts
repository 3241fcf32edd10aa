/** The settings in force of a check as pairs of words, each with where it comes from. */
import type { ApiCheck, Check, CheckGroup, EffectiveSettings, SettingLevel } from '@vedette/schema'
import { locationName } from '../../../api/location-name.ts'
import { formatMs, plural } from '../../../components/number.ts'
import { alertWords } from '../alert-words.ts'
import { frequencyWords } from '../frequency.ts'
import { requestWords } from '../request-words.ts'
import { retrySentence } from '../retry.ts'
import { hasScripts, scriptWords } from '../scripts/scripts.ts'

export interface Fact {
  name: string
  value: string
  from: readonly SettingLevel[]
}

const OWN: readonly SettingLevel[] = ['check']

export function factsOf(check: Check, settings: EffectiveSettings, group: CheckGroup | undefined): Fact[] {
  return [
    { name: 'Active', value: yesOrNo(settings.activated.value), from: settings.activated.from },
    ...(check.checkType === 'HEARTBEAT' ? [] : whereAndWhen(check, settings)),
    ...kindFacts(check, settings, group),
    { name: 'Alert', value: alertWords(settings.alertSettings.value), from: settings.alertSettings.from },
    { name: 'Muted', value: yesOrNo(settings.muted.value), from: settings.muted.from },
    { name: 'Tags', value: settings.tags.value.join(', ') || 'none', from: settings.tags.from },
  ]
}

function whereAndWhen(check: Exclude<Check, { checkType: 'HEARTBEAT' }>, settings: EffectiveSettings): Fact[] {
  const { locations, privateLocations, runParallel, retryStrategy } = settings
  const places = [...locations.value.map(locationName), ...privateLocations.value]
  return [
    { name: 'Runs', value: frequencyWords(check.frequency, offsetOf(check)), from: OWN },
    { name: 'Locations', value: places.join(', ') || 'none', from: locations.from },
    ...(places.length > 1
      ? [{ name: 'Takes them', value: runParallel.value ? 'all at once' : 'in turn', from: runParallel.from }]
      : []),
    ...(check.checkType === 'PLAYWRIGHT'
      ? []
      : [{ name: 'Tried again', value: retrySentence(retryStrategy.value), from: retryStrategy.from }]),
  ]
}

function kindFacts(
  check: Check,
  { request, runtimeId, environmentVariables }: EffectiveSettings,
  group: CheckGroup | undefined,
): Fact[] {
  const variables: Fact = {
    name: 'Variables',
    value: String(environmentVariables?.value.length ?? 0),
    from: environmentVariables?.from ?? OWN,
  }
  switch (check.checkType) {
    case 'API':
      return [
        { name: 'Request', value: requestWords(request?.value) || 'plain', from: request?.from ?? OWN },
        scripts(check, group),
        ...limits(check),
      ]
    case 'URL':
    case 'GRPC':
    case 'TCP':
    case 'DNS':
      return [{ name: 'Assertions', value: String(check.request.assertions?.length ?? 0), from: OWN }, ...limits(check)]
    case 'ICMP':
      return [
        { name: 'Assertions', value: String(check.request.assertions?.length ?? 0), from: OWN },
        { name: 'Degraded above', value: `${check.degradedPacketLossThreshold} % lost`, from: OWN },
        { name: 'Failed above', value: `${check.maxPacketLossThreshold} % lost`, from: OWN },
      ]
    case 'SSL': {
      const { alertDaysBeforeExpiry = 20, skipChainValidation = false, securityBaseline } = check.request.sslConfig
      return [
        { name: 'Assertions', value: String(check.request.assertions?.length ?? 0), from: OWN },
        { name: 'Warns', value: `${plural(alertDaysBeforeExpiry, 'day')} before it expires`, from: OWN },
        { name: 'Authorities', value: skipChainValidation ? 'any' : 'those that are trusted', from: OWN },
        { name: 'Security baseline', value: securityBaseline?.enabled === false ? 'off' : 'on', from: OWN },
        ...limits(check),
      ]
    }
    case 'BROWSER':
    case 'MULTI_STEP':
      return [
        { name: 'Script', value: check.scriptPath ?? 'without a file name', from: OWN },
        variables,
        { name: 'Runtime', value: runtimeId.value, from: runtimeId.from },
      ]
    case 'PLAYWRIGHT':
      return [
        { name: 'Bundle', value: check.codeBundlePath, from: OWN },
        { name: 'Test command', value: check.testCommand ?? 'all tests', from: OWN },
        ...(check.workingDir === null ? [] : [{ name: 'Folder', value: check.workingDir, from: OWN }]),
        { name: 'Playwright', value: check.playwrightVersion ?? 'the current version', from: OWN },
        { name: 'Opens pages', value: yesOrNo(check.browsers.length > 0), from: OWN },
        variables,
      ]
    case 'HEARTBEAT':
      return []
  }
}

/** Those of the group run around those of the check. */
function scripts(check: ApiCheck, group: CheckGroup | undefined): Fact {
  const ofGroup = group !== undefined && hasScripts(group)
  return {
    name: 'Scripts',
    value: scriptWords(group === undefined ? [check] : [group, check]),
    from: [...(hasScripts(check) ? OWN : []), ...(ofGroup ? ['group' as const] : [])],
  }
}

const offsetOf = (check: Check): number => ('frequencyOffset' in check ? check.frequencyOffset : 0)

const limits = (check: { degradedResponseTime: number | null; maxResponseTime: number | null }): Fact[] => [
  { name: 'Degraded above', value: limitWords(check.degradedResponseTime), from: OWN },
  { name: 'Failed above', value: limitWords(check.maxResponseTime), from: OWN },
]

const limitWords = (ms: number | null): string =>
  ms === null ? 'off' : ms % 1000 === 0 ? `${ms / 1000} s` : formatMs(ms)

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no')
