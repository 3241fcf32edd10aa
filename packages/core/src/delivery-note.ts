/** What a message says of its own way: that it comes late, or in place of another one. */
import type { ChannelType } from '@vedette/schema'

export interface DeliveryFacts {
  type: ChannelType
  /** Since the alert was decided. */
  ageMs: number
  /** How many tries there were before this one. */
  triesBefore: number
  /** The channel that should have carried the message; empty when it is this one. */
  fallbackFor: string
}

const MINUTE_MS = 60_000
/** News is not late before. */
const LATE_AFTER_MS = MINUTE_MS

const unreachable: Readonly<Record<ChannelType, string>> = {
  EMAIL: 'the mail server could not be reached before',
  SLACK: 'Slack did not take it before',
  WEBHOOK: 'the receiver did not take it before',
  SMS: 'the telephone gateway did not take it before',
  CALL: 'the telephone gateway did not take it before',
  PAGERDUTY: 'PagerDuty did not take it before',
  OPSGENIE: 'Opsgenie did not take it before',
}

/** Empty when there is nothing to say. */
export function deliveryNote(facts: DeliveryFacts): string {
  return [insteadOf(facts), late(facts)].filter((sentence) => sentence !== '').join(' ')
}

function insteadOf({ fallbackFor }: DeliveryFacts): string {
  return fallbackFor === '' ? '' : `${fallbackFor} could not be reached, so this comes here.`
}

function late({ type, ageMs, triesBefore, fallbackFor }: DeliveryFacts): string {
  if (ageMs <= LATE_AFTER_MS) return ''
  const why = triesBefore > 0 ? `: ${unreachable[type]}` : fallbackFor === '' ? ': it could not be sent before' : ''
  return `Delivered ${duration(ageMs)} late${why}.`
}

/** Whole units: nobody counts the minutes of hours, nor the hours of days. */
export function duration(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS))
  if (minutes < 120) return plural(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  return hours < 48 ? plural(hours, 'hour') : plural(Math.round(hours / 24), 'day')
}

const plural = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`
