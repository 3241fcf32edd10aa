import { useQuery } from '@tanstack/react-query'
import type { HeartbeatCheck, HeartbeatEvent, HeartbeatState, HeartbeatStats } from '@vedette/schema'
import { heartbeatEventsQuery } from '../../../api/heartbeat-events.ts'
import { Copy } from '../../../components/copy.tsx'
import { Empty } from '../../../components/empty.tsx'
import type { IconName } from '../../../components/icon.tsx'
import { Ago, Instant } from '../../../components/instant.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Notice, Pill, type Tone } from '../../../components/notice.tsx'
import { formatPercent } from '../../../components/number.ts'
import { Section } from '../../../components/section.tsx'
import { spanWords } from './span-words.ts'

const states: Record<HeartbeatState, { word: string; tone: Tone; icon: IconName }> = {
  RECEIVED: { word: 'On time', tone: 'good', icon: 'check' },
  EARLY: { word: 'Early', tone: 'idle', icon: 'check' },
  GRACE: { word: 'In the grace time', tone: 'warn', icon: 'slow' },
  LATE: { word: 'Late', tone: 'bad', icon: 'slow' },
  FAILING: { word: 'Missing', tone: 'bad', icon: 'cross' },
}

/** A heartbeat instead of runs: where to ping, how often, and what came. */
export function HeartbeatSections({ check }: { check: HeartbeatCheck }) {
  const { period, periodUnit, grace, graceUnit, pingUrl } = check.heartbeat
  const events = useQuery(heartbeatEventsQuery(check.id))
  const stats = events.data?.stats
  return (
    <>
      <Notice tone="warn">Pings are kept, but this version does not notice yet when one is missing.</Notice>
      <Section title="Pings">
        <p className="mb-2 text-[0.875rem] text-soft">
          Have the job call this address, by GET or POST, each time it has done its work.
        </p>
        {pingUrl === null ? (
          <p className="text-[0.875rem]">
            The address is shown to those who may change the check: whoever knows it can ping.
          </p>
        ) : (
          <Copy label="Ping URL" text={pingUrl} />
        )}
        <dl className="mt-5 flex flex-wrap gap-x-8 gap-y-3 text-[0.875rem]">
          {[
            { name: 'Expected', value: `every ${spanWords(period, periodUnit)}` },
            { name: 'Grace', value: spanWords(grace, graceUnit) },
            { name: 'Came in the last 24 hours', value: ratioWords(stats?.last24Hours) },
            { name: 'in the last 7 days', value: ratioWords(stats?.last7Days) },
          ].map(({ name, value }) => (
            <div key={name}>
              <dt className="text-[0.8125rem] text-faint">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
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

function EventsTable({ events }: { events: readonly HeartbeatEvent[] }) {
  return (
    <table className="data-table">
      <caption className="sr-only">Pings and missing pings, newest first</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">What</th>
          <th scope="col" className="hidden w-full sm:table-cell">
            From
          </th>
        </tr>
      </thead>
      <tbody>
        {events.map(({ id, state, timestamp, source }) => {
          const { word, tone, icon } = states[state]
          return (
            <tr key={id}>
              <td className="whitespace-nowrap">
                <Instant at={timestamp} />
                <span className="block text-xs text-faint">
                  <Ago at={timestamp} />
                </span>
              </td>
              <td>
                <Pill tone={tone} icon={icon}>
                  {word}
                </Pill>
              </td>
              <td className="hidden break-all text-soft sm:table-cell">{source ?? '–'}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function ratioWords(availability: HeartbeatStats['last24Hours'] | undefined): string {
  const ratio = availability?.successRatio.currentPeriod ?? null
  return ratio === null ? '–' : formatPercent(ratio)
}
