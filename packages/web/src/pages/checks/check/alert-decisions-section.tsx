import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AlertDecision } from '@vedette/schema'
import { useState } from 'react'
import { alertDecisionsQuery, DECISIONS_PER_PAGE } from '../../../api/alert-decisions.ts'
import { Instant } from '../../../components/instant.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Pager } from '../../../components/pager.tsx'
import { Section } from '../../../components/section.tsx'
import { useChannelNames } from '../channel-names.ts'

/** Why people were told of the check, or were not, up to any moment. */
export function AlertDecisionsSection({ checkId, hasResults }: { checkId: string; hasResults: boolean }) {
  const [moment, setMoment] = useState('')
  const [page, setPage] = useState(1)
  const untilMs = moment === '' ? null : new Date(moment).getTime()
  const decisions = useQuery(alertDecisionsQuery(checkId, untilMs, page))
  return (
    <Section
      title="Alerts"
      flush
      aside={
        <label className="flex items-center gap-2">
          Until
          <input
            type="datetime-local"
            className="control w-auto!"
            value={moment}
            onChange={(event) => {
              setMoment(event.target.value)
              setPage(1)
            }}
          />
        </label>
      }
    >
      <Loaded query={decisions}>
        {({ items, total }) =>
          items.length === 0 ? (
            <p className="px-5 py-8 text-center text-soft">All was well: there was nothing to decide.</p>
          ) : (
            <>
              <ul className="divide-y divide-line">
                {items.map((decision) => (
                  <Decision key={decision.id} checkId={checkId} decision={decision} hasResults={hasResults} />
                ))}
              </ul>
              <div className="border-t border-line px-5 empty:hidden">
                <Pager page={page} perPage={DECISIONS_PER_PAGE} total={total} onPage={setPage} />
              </div>
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

function Decision({
  checkId,
  decision: { at, words, channels, due, resultId },
  hasResults,
}: {
  checkId: string
  decision: AlertDecision
  hasResults: boolean
}) {
  return (
    <li className="px-4 py-3 sm:px-5">
      <p className={due ? 'font-medium' : ''}>{words}</p>
      {channels.length > 0 && (
        <ul className="mt-1 text-[0.875rem] text-soft">
          {channels.map((channel) => (
            <li key={channel.channelId}>
              <ChannelName id={channel.channelId} />: {channel.words}
            </li>
          ))}
        </ul>
      )}
      <p className="mt-1 text-[0.8125rem] text-faint">
        <Instant at={at} />
        {hasResults && resultId !== null && (
          <>
            {' · '}
            <Link to="/checks/$checkId/results/$resultId" params={{ checkId, resultId }} className="link">
              Show the result
            </Link>
          </>
        )}
      </p>
    </li>
  )
}

function ChannelName({ id }: { id: number }) {
  return <>{useChannelNames([id])}</>
}
