import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AlertNotification } from '@vedette/schema'
import { useState } from 'react'
import { channelsQuery } from '../../api/channels.ts'
import { checkNamesQuery } from '../../api/check-names.ts'
import { NOTIFICATIONS_PER_PAGE, notificationsQuery } from '../../api/notifications.ts'
import { CheckboxField } from '../../components/field.tsx'
import type { IconName } from '../../components/icon.tsx'
import { Instant } from '../../components/instant.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Pill, type Tone } from '../../components/notice.tsx'
import { Pager } from '../../components/pager.tsx'
import { Scroll } from '../../components/scroll.tsx'
import { Section } from '../../components/section.tsx'

const statuses: Record<AlertNotification['status'], { word: string; tone: Tone; icon: IconName }> = {
  IN_PROGRESS: { word: 'On its way', tone: 'idle', icon: 'slow' },
  SUCCESS: { word: 'Delivered', tone: 'good', icon: 'check' },
  FAILURE: { word: 'Not delivered', tone: 'bad', icon: 'cross' },
  RATE_LIMITED: { word: 'Held back', tone: 'warn', icon: 'pause' },
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
              <Scroll label="Notifications">
                <table className="data-table">
                  <caption className="sr-only">Notifications, newest first</caption>
                  <thead>
                    <tr>
                      <th scope="col">When</th>
                      <th scope="col">Status</th>
                      <th scope="col">Check</th>
                      <th scope="col">Channel</th>
                      <th scope="col" className="w-full">
                        Answer
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {items.map((notification) => (
                      <NotificationRow key={notification.id} notification={notification} />
                    ))}
                  </tbody>
                </table>
              </Scroll>
              <div className="border-t border-line px-5">
                <Pager page={page} perPage={NOTIFICATIONS_PER_PAGE} total={total} onPage={setPage} />
              </div>
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

function NotificationRow({ notification }: { notification: AlertNotification }) {
  const { data: names } = useQuery(checkNamesQuery)
  const { data: channels } = useQuery(channelsQuery)
  const { status, checkId, checkResultId, alertChannelId, timestamp, notificationResult } = notification
  const { word, tone, icon } = statuses[status]
  const channel = channels?.find(({ id }) => id === alertChannelId)
  return (
    <tr>
      <td>{timestamp === null ? 'not yet' : <Instant at={timestamp} />}</td>
      <td>
        <Pill tone={tone} icon={icon}>
          {word}
        </Pill>
      </td>
      <td className="min-w-36">
        <Link to="/checks/$checkId/results/$resultId" params={{ checkId, resultId: checkResultId }} className="link">
          {names?.get(checkId) ?? 'a deleted check'}
        </Link>
      </td>
      <td className="whitespace-nowrap">{channel?.config.name ?? 'a deleted channel'}</td>
      <td className="min-w-40 text-soft">{notificationResult ?? 'none yet'}</td>
    </tr>
  )
}
