/** What an alert says: composed once from its facts; a channel only lays it out. */
import type { AlertMessage, AlertType, CheckKind } from '@vedette/schema'
import { shorten } from './show.ts'

export interface AlertFacts {
  alertType: AlertType
  /** The same for all that is told of one trouble. */
  episodeId: string
  checkId: string
  checkName: string
  checkKind: CheckKind
  checkDescription: string
  tags: readonly string[]
  groupName?: string
  resultId: string
  startedAt: Date
  responseTimeMs: number
  error: string | null
  statusCode: number | null
  statusText?: string
  /** Region or slug. */
  location: string
  locationName: string
  /** 0 for the alert itself, then 1, 2, … for its reminders. */
  reminder?: number
  certificate?: { domain: string; daysRemaining: number }
  /** Names of checks whose alerts are held because of this one. */
  heldChecks?: readonly string[]
}

/** Error texts come from the target: of a page-long one, the beginning tells enough. */
const ERROR_LIMIT = 4096

const titles: { [T in AlertType]: (name: string, facts: AlertFacts) => string } = {
  NO_ALERT: (name) => `${name} is passing`,
  ALERT_FAILURE: (name) => `${name} has failed`,
  ALERT_FAILURE_REMAIN: (name) => `${name} is still failing`,
  ALERT_FAILURE_DEGRADED: (name) => `${name} no longer fails but is degraded`,
  ALERT_RECOVERY: (name) => `${name} has recovered`,
  ALERT_DEGRADED: (name) => `${name} is degraded`,
  ALERT_DEGRADED_REMAIN: (name) => `${name} is still degraded`,
  ALERT_DEGRADED_FAILURE: (name) => `${name} was degraded and has now failed`,
  ALERT_DEGRADED_RECOVERY: (name) => `${name} is no longer degraded`,
  ALERT_SSL: (name, { certificate }) => {
    if (certificate === undefined) return `A certificate of ${name} expires soon`
    const { domain, daysRemaining } = certificate
    if (daysRemaining < 0) return `The certificate of ${domain} has expired`
    return `The certificate of ${domain} expires in ${daysRemaining} ${daysRemaining === 1 ? 'day' : 'days'}`
  },
}

/** @param link where the result is shown in the web application */
export function composeAlert(facts: AlertFacts, { link }: { link: string }): AlertMessage {
  const { certificate, statusCode, reminder = 0 } = facts
  const name = storable(facts.checkName)
  return {
    ALERT_TITLE: storable(titles[facts.alertType](name, facts)),
    ALERT_TYPE: facts.alertType,
    EPISODE_ID: facts.episodeId,
    CHECK_ID: facts.checkId,
    CHECK_NAME: name,
    CHECK_TYPE: facts.checkKind,
    CHECK_DESCRIPTION: storable(facts.checkDescription),
    CHECK_RESULT_ID: facts.resultId,
    CHECK_ERROR_MESSAGE: shorten(storable(facts.error ?? ''), ERROR_LIMIT),
    API_CHECK_RESPONSE_STATUS_CODE: statusCode === null ? '' : String(statusCode),
    API_CHECK_RESPONSE_STATUS_TEXT: storable(facts.statusText ?? ''),
    GROUP_NAME: storable(facts.groupName ?? ''),
    IS_REMINDER: reminder > 0,
    REMINDER_SEQUENCE: reminder,
    REGION: facts.location,
    RUN_LOCATION: storable(facts.locationName),
    RESPONSE_TIME: Math.round(facts.responseTimeMs),
    RESULT_LINK: link,
    ACKNOWLEDGE_LINK: '',
    HELD_CHECKS: storable(inWords(facts.heldChecks ?? [])),
    SSL_DAYS_REMAINING: certificate === undefined ? '' : String(certificate.daysRemaining),
    SSL_CHECK_DOMAIN: certificate?.domain ?? '',
    STARTED_AT: facts.startedAt.toISOString(),
    TAGS: facts.tags.map(storable),
    IS_DIGEST: false,
    DIGEST_COUNT: 0,
    DIGEST_LIST: [],
    FALLBACK_FOR: '',
    DELIVERY_NOTE: '',
  }
}

const MOST_HELD = 10

/** “A, B and C”, “A, B, … and 3 more”. */
function inWords(names: readonly string[]): string {
  const more = names.length - MOST_HELD
  const parts = more > 0 ? [...names.slice(0, MOST_HELD), `${more} more`] : [...names]
  const last = parts.pop() ?? ''
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}

/** Text from outside as the database takes it: without NUL and halves of surrogate pairs. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
