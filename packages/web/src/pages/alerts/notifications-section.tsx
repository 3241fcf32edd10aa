import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type AlertNotification, type AlertType, channelTitle, isFoundByRun } from '@vedette/schema'
import { useState } from 'react'
import { channelsQuery } from '../../api/channels.ts'
import { checkNamesQuery } from '../../api/check-names.ts'
import { NOTIFICATIONS_PER_PAGE, notificationsQuery } from '../../api/notifications.ts'
import { CheckboxField } from '../../components/field.tsx'
import type { IconName } from '../../components/icon.tsx'
import { Instant } from '../../components/instant.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Pill, type Tone } from '../../components/notice.tsx'
import { plural } from '../../components/number.ts'
import { Pager } from '../../components/pager.tsx'
import { Section } from '../../components/section.tsx'

const statuses: Record<AlertNotification['status'], { word: string; tone: Tone; icon: IconName }> = {
  IN_PROGRESS: { word: 'On its way', tone: 'idle', icon: 'slow' },
  SUCCESS: { word: 'Delivered', tone: 'good', icon: 'check' },
  FAILURE: { word: 'Not delivered', tone: 'bad', icon: 'cross' },
  RATE_LIMITED: { word: 'In a digest', tone: 'idle', icon: 'pause' },
}

/** What was told, after the name of the check. */
const told: Record<AlertType, string> = {
  NO_ALERT: 'has no news',
  ALERT_FAILURE: 'failed',
  ALERT_FAILURE_REMAIN: 'is still failing',
  ALERT_FAILURE_DEGRADED: 'no longer fails, but is degraded',
  ALERT_RECOVERY: 'recovered',
  ALERT_DEGRADED: 'is degraded',
  ALERT_DEGRADED_REMAIN: 'is still degraded',
  ALERT_DEGRADED_FAILURE: 'was degraded, now failed',
  ALERT_DEGRADED_RECOVERY: 'is no longer degraded',
  ALERT_SSL: 'has a certificate that expires soon',
}

/** What was told to whom in the last 24 hours. */
export function NotificationsSection() {
  const [failuresOnly, setFailuresOnly] = useState(false)
  const [page, setPage] = useState(1)
  const notifications = useQuery(notificationsQuery({ failuresOnly, page }))
  return (
    <Section
      title="Sent in the last 24 hours"
      flush
      aside={
        <CheckboxField
          label="Not delivered only"
          checked={failuresOnly}
          onChange={(on) => {
            setFailuresOnly(on)
            setPage(1)
          }}
        />
      }
    >
      <Loaded query={notifications}>
        {({ items, total }) =>
          items.length === 0 ? (
            <p className="px-5 py-8 text-center text-soft">
              {failuresOnly ? 'Every message was delivered.' : 'No messages in the last 24 hours.'}
            </p>
          ) : (
            <>
              <table className="data-table">
                <caption className="sr-only">Notifications, newest first</caption>
                <thead>
                  <tr>
                    <th scope="col">Message</th>
                    <th scope="col" className="hidden sm:table-cell">
                      To
                    </th>
                    <th scope="col">Delivery</th>
                    <th scope="col" className="hidden sm:table-cell">
                      When
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((notification) => (
                    <NotificationRow key={notification.id} notification={notification} />
                  ))}
                </tbody>
              </table>
              <div className="border-t border-line px-5 empty:hidden">
                <Pager page={page} perPage={NOTIFICATIONS_PER_PAGE} total={total} onPage={setPage} />
              </div>
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

/** On a narrow screen a row is one cell of what, when and to whom, and one of how it went. */
function NotificationRow({ notification }: { notification: AlertNotification }) {
  const { data: names } = useQuery(checkNamesQuery)
  const { data: channels } = useQuery(channelsQuery)
  const { status, alertType, checkType, checkId, checkResultId, alertChannelId, timestamp, notificationResult } =
    notification
  const { digestOf, fallbackOf } = notification
  const name = names?.get(checkId) ?? 'A deleted check'
  const { word, tone, icon } = statuses[status]
  const found = channels?.find(({ id }) => id === alertChannelId)
  const channel = found === undefined ? 'a deleted channel' : channelTitle(found)
  const when = timestamp === null ? 'not yet' : <Instant at={timestamp} />
  return (
    <tr>
      <td className="w-full">
        {digestOf !== null ? (
          <span className="font-medium">A digest of {plural(digestOf, 'message')}</span>
        ) : isFoundByRun(checkType, alertType) ? (
          <Link
            to="/checks/$checkId/results/$resultId"
            params={{ checkId, resultId: checkResultId }}
            className="link font-medium"
          >
            {name}
          </Link>
        ) : (
          <Link to="/checks/$checkId" params={{ checkId }} className="link font-medium">
            {name}
          </Link>
        )}
        {digestOf === null && alertType && ` ${told[alertType]}`}
        {fallbackOf !== null && ', in place of a channel that could not be reached'}
        <span className="mt-0.5 block text-[0.8125rem] text-faint sm:hidden">
          {when} to {channel}
        </span>
      </td>
      <td className="hidden whitespace-nowrap sm:table-cell">{channel}</td>
      <td className="whitespace-nowrap">
        <div className="lg:flex lg:items-center lg:gap-2.5">
          {' '}
          <Pill tone={tone} icon={icon}>
            {word}
          </Pill>
          {notificationResult !== null && (
            <span
              className="mt-0.5 block max-w-36 truncate text-[0.8125rem] text-faint lg:mt-0 lg:max-w-64"
              title={notificationResult}
            >
              {notificationResult}
            </span>
          )}
        </div>{' '}
      </td>
      <td className="hidden whitespace-nowrap sm:table-cell">{when}</td>
    </tr>
  )
}
