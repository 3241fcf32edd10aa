/** One message in place of many: the latest news of every check, the worst first. */
import type { AlertMessage, AlertType } from '@vedette/schema'
import { shorten } from './show.ts'

/** What a digest needs to know of a message that it stands for. */
export type DigestItem = Pick<
  AlertMessage,
  'ALERT_TITLE' | 'ALERT_TYPE' | 'CHECK_ID' | 'CHECK_TYPE' | 'CHECK_RESULT_ID' | 'FALLBACK_FOR'
>

/** The worst first. */
const STATES = ['failing', 'degraded', 'certificate', 'recovered'] as const
type State = (typeof STATES)[number]

const stateAfter: { [T in AlertType]: State } = {
  ALERT_FAILURE: 'failing',
  ALERT_FAILURE_REMAIN: 'failing',
  ALERT_DEGRADED_FAILURE: 'failing',
  ALERT_DEGRADED: 'degraded',
  ALERT_DEGRADED_REMAIN: 'degraded',
  ALERT_FAILURE_DEGRADED: 'degraded',
  ALERT_SSL: 'certificate',
  ALERT_RECOVERY: 'recovered',
  ALERT_DEGRADED_RECOVERY: 'recovered',
  NO_ALERT: 'recovered',
}

const counted: { [S in State]: (count: number) => string } = {
  failing: (count) => `${count} failing`,
  degraded: (count) => `${count} degraded`,
  certificate: (count) => (count === 1 ? '1 certificate that expires' : `${count} certificates that expire`),
  recovered: (count) => `${count} recovered`,
}

const MOST_LISTED = 20
const LINE_LIMIT = 120
const NAME_LIMIT = 40

/**
 * The latest of each check, the worst first, and of those the one that is news for longest. A certificate is trouble of
 * its own: what is told of it stands beside what is told of its check.
 *
 * @param items the oldest first
 */
export function latestOf<T extends DigestItem>(items: readonly T[]): T[] {
  const latest = new Map<string, T>()
  for (const item of items) {
    const key = `${item.CHECK_ID} ${item.ALERT_TYPE === 'ALERT_SSL'}`
    // Taken out first: it stands where its latest news stands.
    latest.delete(key)
    latest.set(key, item)
  }
  return STATES.flatMap((state) => [...latest.values()].filter(({ ALERT_TYPE }) => stateAfter[ALERT_TYPE] === state))
}

/** What came here in place of another channel says so. */
function lineOf({ ALERT_TITLE: title, FALLBACK_FOR: channel }: DigestItem): string {
  const line = shorten(title, LINE_LIMIT)
  return channel === '' ? line : `${line} (${shorten(channel, NAME_LIMIT)} could not be reached)`
}

export interface DigestFrame {
  /** Its own. */
  deliveryId: string
  /** Where all alerts are shown in the web application. */
  link: string
  startedAt: Date
}

/**
 * @param items the oldest first; at least one
 */
export function composeDigest(
  items: readonly DigestItem[],
  { deliveryId, link, startedAt }: DigestFrame,
): AlertMessage {
  const latest = latestOf(items)
  const [worst] = latest
  if (worst === undefined) throw new Error('A digest of nothing')
  const checks = new Set(latest.map(({ CHECK_ID }) => CHECK_ID)).size
  const name = `${checks} ${checks === 1 ? 'check' : 'checks'}`
  const counts = STATES.map((state) => ({
    state,
    count: latest.filter(({ ALERT_TYPE }) => stateAfter[ALERT_TYPE] === state).length,
  })).filter(({ count }) => count > 0)
  const left = latest.length - MOST_LISTED
  const lines = [...latest.slice(0, MOST_LISTED).map(lineOf), ...(left > 0 ? [`and ${left} more`] : [])]
  return {
    ALERT_TITLE: `${name}: ${counts.map(({ state, count }) => counted[state](count)).join(', ')}`,
    ALERT_TYPE: worst.ALERT_TYPE,
    EPISODE_ID: deliveryId,
    CHECK_ID: worst.CHECK_ID,
    CHECK_NAME: name,
    CHECK_TYPE: worst.CHECK_TYPE,
    CHECK_DESCRIPTION: '',
    CHECK_RESULT_ID: worst.CHECK_RESULT_ID,
    CHECK_ERROR_MESSAGE: lines.join('\n'),
    API_CHECK_RESPONSE_STATUS_CODE: '',
    API_CHECK_RESPONSE_STATUS_TEXT: '',
    GROUP_NAME: '',
    IS_REMINDER: false,
    REMINDER_SEQUENCE: 0,
    REGION: '',
    RUN_LOCATION: '',
    RESPONSE_TIME: 0,
    RESULT_LINK: link,
    ACKNOWLEDGE_LINK: '',
    HELD_CHECKS: '',
    SSL_DAYS_REMAINING: '',
    SSL_CHECK_DOMAIN: '',
    STARTED_AT: startedAt.toISOString(),
    TAGS: [],
    IS_DIGEST: true,
    DIGEST_COUNT: checks,
    DIGEST_LIST: lines,
    FALLBACK_FOR: '',
    DELIVERY_NOTE: '',
  }
}
