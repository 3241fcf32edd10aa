/** What a dry run says of itself, in words. */
import type { DryRun, EffectiveSettings, SettingLevel } from '@vedette/schema'
import { locationName } from '../../../api/location-name.ts'
import { alertWords } from '../alert-words.ts'
import { requestWords } from '../request-words.ts'
import { retrySentence } from '../retry.ts'

const RULES: { readonly [R in DryRun['decision']['rule']]: string } = {
  'all-is-well': 'nothing is wrong',
  'assertion-broken': 'an assertion that did not hold',
  'answer-not-acceptable': 'the answer itself',
  'script-failed': 'the script',
  'script-timed-out': 'the time that the script may take',
  'over-max-response-time': 'the time, over what is allowed',
  'over-degraded-response-time': 'the time, over what is wished',
  'answer-weak': 'a weakness of the answer',
  'no-answer': 'no answer from the target',
  'our-trouble': 'trouble of the monitor, not of the target',
}

export const decidedBy = ({ rule, assertion }: DryRun['decision']): string =>
  assertion === null ? RULES[rule] : `assertion ${assertion + 1}, which did not hold`

export const sentence = (text: string): string => {
  const whole = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`
}

interface SettingInWords {
  name: string
  value: string
  from: readonly SettingLevel[]
}

export function settingsInWords(settings: EffectiveSettings): SettingInWords[] {
  const { locations, privateLocations, retryStrategy, alertSettings, request, tags } = settings
  const places = [...locations.value.map(locationName), ...privateLocations.value]
  return [
    { name: 'Locations', value: places.join(', ') || 'none', from: locations.from },
    { name: 'Tried again', value: retrySentence(retryStrategy.value), from: retryStrategy.from },
    { name: 'Alert', value: alertWords(alertSettings.value), from: alertSettings.from },
    ...(request === undefined
      ? []
      : [{ name: 'Request', value: requestWords(request.value) || 'plain', from: request.from }]),
    ...(tags.value.length === 0 ? [] : [{ name: 'Tags', value: tags.value.join(', '), from: tags.from }]),
  ]
}
