import { useQuery } from '@tanstack/react-query'
import type {
  HeartbeatCheck,
  HeartbeatEvent,
  HeartbeatState,
  HeartbeatStats,
  HeartbeatSuggestion,
  HeartbeatTimer,
} from '@vedette/schema'
import { heartbeatEventsQuery } from '../../../api/heartbeat-events.ts'
import { heartbeatSuggestionQuery, useApplySuggestion } from '../../../api/heartbeat-suggestion.ts'
import { heartbeatTimerQuery } from '../../../api/heartbeat-timer.ts'
import { announce } from '../../../components/announcer.tsx'
import { Button } from '../../../components/button.tsx'
import { Copy } from '../../../components/copy.tsx'
import { Disclosure } from '../../../components/disclosure.tsx'
import { Empty } from '../../../components/empty.tsx'
import type { IconName } from '../../../components/icon.tsx'
import { Ago, Instant } from '../../../components/instant.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Notice, Pill, type Tone } from '../../../components/notice.tsx'
import { formatMs, formatPercent } from '../../../components/number.ts'
import { Section } from '../../../components/section.tsx'
import { rhythmWords, spanWords } from './span-words.ts'

const states: Record<HeartbeatState, { word: string; tone: Tone; icon: IconName }> = {
  RECEIVED: { word: 'On time', tone: 'good', icon: 'check' },
  EARLY: { word: 'Early', tone: 'idle', icon: 'check' },
  GRACE: { word: 'In the grace time', tone: 'warn', icon: 'slow' },
  LATE: { word: 'Late', tone: 'bad', icon: 'slow' },
  FAILING: { word: 'Missing', tone: 'bad', icon: 'cross' },
}

/** A heartbeat instead of runs: when the next ping is expected, where to ping, and what came. */
export function HeartbeatSections({ check }: { check: HeartbeatCheck }) {
  const { grace, graceUnit, pingUrl } = check.heartbeat
  const events = useQuery(heartbeatEventsQuery(check.id))
  const timer = useQuery(heartbeatTimerQuery(check.id))
  const stats = events.data?.stats
  return (
    <>
      <Suggestion check={check} />
      <Section title="Pings">
        <dl className="mb-5 flex flex-wrap gap-x-8 gap-y-3 text-[0.875rem]">
          {[
            { name: 'Expected', value: rhythmWords(check.heartbeat) },
            { name: 'Grace', value: spanWords(grace, graceUnit) },
            {
              name: 'Next ping',
              value: timer.data ? <NextPing timer={timer.data} activated={check.activated} /> : '–',
            },
            { name: 'Came in the last 24 hours', value: ratioWords(stats?.last24Hours) },
            { name: 'in the last 7 days', value: ratioWords(stats?.last7Days) },
          ].map(({ name, value }) => (
            <div key={name}>
              <dt className="text-[0.8125rem] text-faint">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {pingUrl === null ? (
          <p className="text-[0.875rem]">
            The address is shown to those who may change the check: whoever knows it can ping.
          </p>
        ) : (
          <HowToPing pingUrl={pingUrl} cron={check.heartbeat.schedule?.cron} />
        )}
      </Section>
      <Section title="Latest events" flush>
        <Loaded query={events}>
          {({ events }) =>
            events.length === 0 ? (
              <Empty title="No ping yet">The first one starts the clock.</Empty>
            ) : (
              <EventsTable events={events} />
            )
          }
        </Loaded>
      </Section>
    </>
  )
}

function NextPing({ timer, activated }: { timer: HeartbeatTimer; activated: boolean }) {
  const { dueAt, deadlineAt, heldUntil, jobStartedAt } = timer
  if (!activated) return <>none: the check is paused</>
  if (dueAt === null || deadlineAt === null) return <>the first one starts the clock</>
  return (
    <>
      {heldUntil === null ? (
        <>
          <Ago at={dueAt} />, failing from <Instant at={deadlineAt} />
        </>
      ) : (
        <>
          maintenance until <Instant at={heldUntil} />
        </>
      )}
      {jobStartedAt !== null && (
        <span className="block text-[0.8125rem] text-faint">
          the job began <Ago at={jobStartedAt} />
        </span>
      )}
    </>
  )
}

function HowToPing({ pingUrl, cron = '0 3 * * *' }: { pingUrl: string; cron: string | undefined }) {
  const curl = 'curl -fsS -m 10 --retry 5'
  const command = `${curl} ${pingUrl}`
  return (
    <div className="space-y-3">
      <p className="text-[0.875rem] text-soft">
        Have the job call this address, by GET or POST, each time it has done its work.
      </p>
      <Copy label="Ping URL" text={pingUrl} />
      <Disclosure summary="More ways to ping">
        <div className="space-y-3 text-[0.875rem] text-soft">
          <p>From a shell:</p>
          <Copy label="Command" text={command} />
          <p>From a crontab, with how the job ended and how long it took:</p>
          <Copy label="Crontab line" text={`${cron} ${curl} ${pingUrl}/start; /path/to/job; ${curl} ${pingUrl}/$?`} />
          <p>
            <code>/start</code> says that the job begins, <code>/fail</code> that it failed, and <code>/0</code> to{' '}
            <code>/255</code> with which exit code it ended. What is posted along is kept, up to 10 KB.
          </p>
        </div>
      </Disclosure>
    </div>
  )
}

const changed: Record<HeartbeatSuggestion['changes'], string> = {
  period: 'The pings come at another pace than was set.',
  grace: 'The pings need more grace than was set.',
  timezone: 'The pings come by the clock of another time zone.',
}

/** What fits the pings that come, where they do not come as they are expected. */
function Suggestion({ check }: { check: HeartbeatCheck }) {
  const { data } = useQuery(heartbeatSuggestionQuery(check.id))
  const apply = useApplySuggestion(check.id)
  if (!data) return null
  const { heartbeat, pings, fitsAsSet, fitsAsSuggested } = data
  return (
    <Notice tone="warn">
      <p className="font-semibold">{changed[data.changes]}</p>
      <p className="mt-1">
        Of the last {pings} pings {fitsAsSet} % came as expected. With {rhythmWords(heartbeat)} and a grace of{' '}
        {spanWords(heartbeat.grace, heartbeat.graceUnit)} it would be {fitsAsSuggested} %.
      </p>
      {check.heartbeat.pingUrl !== null && (
        <p className="mt-2">
          <Button
            busy={apply.isPending}
            onClick={() => apply.mutate(data, { onSuccess: () => announce('The rhythm is changed') })}
          >
            Apply
          </Button>
        </p>
      )}
      {apply.error && <p className="mt-2">{apply.error.message}</p>}
    </Notice>
  )
}

function EventsTable({ events }: { events: readonly HeartbeatEvent[] }) {
  return (
    <table className="data-table">
      <caption className="sr-only">Pings and missing pings, newest first</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col" className="w-full">
            What
          </th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => {
          const { id, state, timestamp, source, exitCode, duration } = event
          const told = state === 'FAILING' && source !== null
          const { word, tone, icon } = states[state]
          return (
            <tr key={id}>
              <td className="whitespace-nowrap">
                <Instant at={timestamp} />
                <span className="block text-xs text-faint">
                  <Ago at={timestamp} />
                </span>
              </td>
              <td className="text-soft">
                <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <Pill tone={tone} icon={icon}>
                    {told ? 'Failed' : word}
                  </Pill>
                  {duration !== null && <span>took {formatMs(duration)}</span>}
                  {exitCode === 0 && <span>exit code {exitCode}</span>}
                </span>
                <EventText event={event} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function EventText({ event: { error, source, body } }: { event: HeartbeatEvent }) {
  return (
    <>
      {error !== null && <p className="mt-1 break-words text-ink">{error}</p>}
      {source !== null && <p className="mt-1 text-[0.8125rem] break-all">{source}</p>}
      {body !== null && (
        <Disclosure summary="What came along">
          <pre className="max-h-80 overflow-auto rounded bg-sunken p-3 text-xs whitespace-pre-wrap break-all text-ink">
            {body}
          </pre>
        </Disclosure>
      )}
    </>
  )
}

function ratioWords(availability: HeartbeatStats['last24Hours'] | undefined): string {
  const ratio = availability?.successRatio.currentPeriod ?? null
  return ratio === null ? '–' : formatPercent(ratio)
}
