import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CheckSessionV2 } from '@vedette/schema'
import { useEffect } from 'react'
import { useCancelSession } from '../../../api/cancel-session.ts'
import { keys } from '../../../api/keys.ts'
import { byLocationName, locationName } from '../../../api/location-name.ts'
import { hasEnded, sessionQuery } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { Icon, type IconName } from '../../../components/icon.tsx'
import { Instant } from '../../../components/instant.tsx'
import { Notice, Pill, type Tone } from '../../../components/notice.tsx'
import { formatMs } from '../../../components/number.ts'
import { PageHeader } from '../../../components/page-header.tsx'
import { Section } from '../../../components/section.tsx'
import { LoadedOrGone } from '../loaded-or-gone.tsx'
import { VerdictPill, verdictOf } from '../verdict.tsx'

const statuses: Record<CheckSessionV2['status'], { word: string; tone: Tone; icon: IconName }> = {
  STARTED: { word: 'Started', tone: 'idle', icon: 'slow' },
  PROGRESS: { word: 'Running', tone: 'idle', icon: 'slow' },
  PROGRESS_FAILED: { word: 'Running, a location failed', tone: 'bad', icon: 'slow' },
  PROGRESS_DEGRADED: { word: 'Running, a location is degraded', tone: 'warn', icon: 'slow' },
  PASSED: { word: 'Passed', tone: 'good', icon: 'check' },
  DEGRADED: { word: 'Degraded', tone: 'warn', icon: 'slow' },
  FAILED: { word: 'Failed', tone: 'bad', icon: 'cross' },
  CANCELLED: { word: 'Cancelled', tone: 'idle', icon: 'pause' },
  TIMED_OUT: { word: 'Timed out: not every location reported', tone: 'ours', icon: 'wrench' },
}

/** A run that someone asked for, followed until every location has reported. */
export default function SessionPage({ checkId, sessionId }: { checkId: string; sessionId: string }) {
  const session = useQuery(sessionQuery(sessionId))
  const queryClient = useQueryClient()
  const ended = session.data !== undefined && hasEnded(session.data)
  useEffect(() => {
    if (ended) void queryClient.invalidateQueries({ queryKey: keys.runsOf(checkId) })
  }, [ended, queryClient, checkId])
  return (
    <>
      <Link
        to="/checks/$checkId"
        params={{ checkId }}
        className="link mb-2 inline-flex items-center gap-1 text-[0.875rem]"
      >
        <Icon name="back" size={14} /> {session.data?.name ?? 'Check'}
      </Link>
      <LoadedOrGone query={session} noun="session">
        {(session) => <Session checkId={checkId} session={session} />}
      </LoadedOrGone>
    </>
  )
}

function Session({ checkId, session }: { checkId: string; session: CheckSessionV2 }) {
  const { word, tone, icon } = statuses[session.status]
  const cancel = useCancelSession(session.checkSessionId)
  const results = (session.results ?? []).toSorted((a, b) => byLocationName(a.runLocation, b.runLocation))
  const waiting = session.runLocations.filter(
    (location) => !results.some(({ runLocation }) => runLocation === location),
  )
  return (
    <>
      <PageHeader
        title={`${session.name}, run on demand`}
        actions={
          !hasEnded(session) && (
            <Button icon="cross" busy={cancel.isPending} onClick={() => cancel.mutate()}>
              Cancel
            </Button>
          )
        }
      >
        <div aria-live="polite" className="flex flex-wrap items-center gap-x-4 gap-y-1 text-[0.875rem]">
          <Pill tone={tone} icon={icon}>
            {word}
          </Pill>
          <span>
            started <Instant at={session.startedAt} />
          </span>
          {hasEnded(session) && <span>took {formatMs(session.timeElapsed)}</span>}
        </div>
      </PageHeader>
      {cancel.error && <Notice tone="bad">{cancel.error.message}</Notice>}
      <Section title="Results" flush>
        <ul className="divide-y divide-line">
          {results.map((result) => (
            <li key={result.checkResultId} className="flex flex-wrap items-center gap-x-5 gap-y-1 px-4 py-3 sm:px-5">
              <VerdictPill verdict={verdictOf(result)} />
              <span className="font-medium">{locationName(result.runLocation)}</span>
              {result.resultType === 'ATTEMPT' && <span className="text-[0.8125rem] text-faint">attempt</span>}
              <Link
                to="/checks/$checkId/results/$resultId"
                params={{ checkId, resultId: result.checkResultId }}
                className="link ml-auto"
              >
                Show the result<span className="sr-only"> from {locationName(result.runLocation)}</span>
              </Link>
            </li>
          ))}
          {!hasEnded(session) &&
            waiting.map((location) => (
              <li key={location} className="flex items-center gap-5 px-4 py-3 text-soft sm:px-5">
                <span aria-hidden="true" className="mx-2 size-2 animate-ping rounded-full bg-lantern" />
                {locationName(location)}: running…
              </li>
            ))}
          {hasEnded(session) && results.length === 0 && (
            <li className="px-5 py-6 text-center text-soft">No result came.</li>
          )}
        </ul>
      </Section>
    </>
  )
}
