import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { usePollingMs } from '../../../api/live-stream.ts'
import { byLocationName, locationName } from '../../../api/location-name.ts'
import { type Timeline, timelineQuery } from '../../../api/timeline.ts'
import { Choice } from '../../../components/choice.tsx'
import { Disclosure } from '../../../components/disclosure.tsx'
import { formatShort } from '../../../components/instant.tsx'
import type { ChartMark, ChartSeries } from '../../../components/line-chart.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { formatMs, formatPercent } from '../../../components/number.ts'
import { Section } from '../../../components/section.tsx'
import { verdicts } from '../verdict.tsx'
import { figuresByLocation, figuresOf, hasAnswer } from './figures.ts'
import { FiguresTable } from './figures-table.tsx'
import { countMissed, MissedNote } from './missed-note.tsx'
import { TimelineLegend } from './timeline-legend.tsx'

const LineChart = lazy(() => import('../../../components/line-chart.tsx'))

const spans = [
  { value: '1', label: '1 h', words: 'the last hour' },
  { value: '24', label: '24 h', words: 'the last 24 hours' },
  { value: '168', label: '7 d', words: 'the last 7 days' },
] as const

const HOUR_MS = 3_600_000
/** A check that has just begun is drawn from its first run on, but never stretched beyond this. */
const SHORTEST_SECONDS = 600

/** The course of a check: how fast it answered where, and when it did not. */
export function TimelineSection({ checkId, firstRunAt }: { checkId: string; firstRunAt: string | undefined }) {
  // The newest runs of a check that has just begun fit into an hour, and would be a speck in a day.
  const [span, setSpan] = useState<(typeof spans)[number]['value']>(() =>
    firstRunAt !== undefined && Date.now() - Date.parse(firstRunAt) < HOUR_MS ? '1' : '24',
  )
  const refetchInterval = usePollingMs()
  const timeline = useQuery({ ...timelineQuery(checkId, Number(span)), refetchInterval })
  const words = spans.find(({ value }) => value === span)?.words ?? ''
  return (
    <Section
      title="Response time"
      aside={<Choice label="Span of time" value={span} options={spans} onChange={setSpan} />}
    >
      <Loaded query={timeline}>
        {(timeline) =>
          timeline.points.length === 0 && timeline.missed.length === 0 ? (
            <p className="py-6 text-center text-soft">No runs in {words}.</p>
          ) : (
            <Course checkId={checkId} timeline={timeline} hours={Number(span)} words={words} />
          )
        }
      </Loaded>
    </Section>
  )
}

interface CourseProps {
  checkId: string
  timeline: Timeline
  hours: number
  words: string
}

function Course({ checkId, timeline, hours, words }: CourseProps) {
  const navigate = useNavigate()
  const { series, marks, from, to } = useMemo(() => chartOf(timeline, hours), [timeline, hours])
  const all = figuresOf('', timeline.points)
  const missed = countMissed(timeline.missed)
  const figures = [
    { name: 'Availability', value: timeline.availability === null ? '–' : formatPercent(timeline.availability) },
    { name: 'Median', value: all.medianMs === null ? '–' : formatMs(all.medianMs) },
    { name: '95th percentile', value: all.p95Ms === null ? '–' : formatMs(all.p95Ms) },
    { name: 'Runs', value: String(all.runs) },
    { name: 'Failed', value: String(all.verdicts.failed) },
    ...(all.verdicts.error > 0 ? [{ name: 'In error', value: String(all.verdicts.error) }] : []),
    ...(missed > 0 ? [{ name: 'Missed', value: String(missed) }] : []),
  ]
  const label = `Response times in ${words}: ${figures.map(({ name, value }) => `${name} ${value}`).join(', ')}. The same as a table below.`
  return (
    <>
      <dl className="mb-4 flex flex-wrap gap-x-8 gap-y-2">
        {figures.map(({ name, value }) => (
          <div key={name}>
            <dt className="text-[0.8125rem] text-faint">{name}</dt>
            <dd className="text-lg font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      <Suspense fallback={<div className="h-65" />}>
        <LineChart
          label={label}
          series={series}
          marks={marks}
          from={from}
          to={to}
          formatValue={formatMs}
          onPick={(resultId) =>
            void navigate({ to: '/checks/$checkId/results/$resultId', params: { checkId, resultId } })
          }
        />
      </Suspense>
      <TimelineLegend
        locations={series.map(({ label }) => label)}
        failed={all.verdicts.failed > 0}
        inError={all.verdicts.error > 0}
        missed={missed > 0}
      />
      <div className="mt-3 text-[0.875rem] text-soft empty:hidden">
        <MissedNote missed={timeline.missed} />
      </div>
      <div className="mt-3">
        <Disclosure summary="As a table">
          <FiguresTable figures={figuresByLocation(timeline.points)} missed={timeline.missed} />
        </Disclosure>
      </div>
    </>
  )
}

function chartOf({ points, missed }: Timeline, hours: number) {
  const seconds = (at: string) => Date.parse(at) / 1000
  const locations = [...new Set(points.map(({ location }) => location))].sort(byLocationName)
  const series: ChartSeries[] = locations.map((location) => ({
    label: locationName(location),
    points: points
      .filter((point) => point.location === location)
      .map((point) => ({
        id: point.id,
        at: seconds(point.at),
        value: hasAnswer(point) ? point.responseTime : null,
        tip: `${formatShort(point.at)} · ${locationName(location)} · ${verdicts[point.verdict].word} · ${formatMs(point.responseTime)}`,
      })),
  }))
  const marks: ChartMark[] = [
    ...points
      .filter(({ verdict }) => verdict === 'failed')
      .map(({ at }) => ({ at: seconds(at), shape: 'cross', color: '--bad' }) as const),
    ...points
      .filter(({ verdict }) => verdict === 'error')
      .map(({ at }) => ({ at: seconds(at), shape: 'ring', color: '--ours' }) as const),
    ...missed.map(({ at }) => ({ at: seconds(at), shape: 'bar', color: '--idle' }) as const),
  ]
  const to = Math.max(Date.now() / 1000, ...points.slice(-1).map(({ at }) => seconds(at)))
  const first = Math.min(to, ...points.slice(0, 1).map(({ at }) => seconds(at)), ...missed.map(({ at }) => seconds(at)))
  const from = Math.max(to - hours * 3600, Math.min(first - 10, to - SHORTEST_SECONDS))
  return { series, marks, from, to }
}
