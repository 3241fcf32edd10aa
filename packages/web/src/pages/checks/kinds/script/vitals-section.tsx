import { useQuery } from '@tanstack/react-query'
import { WEB_VITAL_BOUNDS, WEB_VITALS, type WebVital } from '@vedette/schema'
import { lazy, Suspense, useMemo, useState } from 'react'
import { usePollingMs } from '../../../../api/live-stream.ts'
import {
  VITAL_FIGURES,
  type VitalFigure,
  type VitalGrouping,
  type Vitals,
  vitalsQuery,
} from '../../../../api/vitals.ts'
import { DASHES, SERIES_COLORS } from '../../../../components/chart-looks.ts'
import { Choice } from '../../../../components/choice.tsx'
import { Disclosure } from '../../../../components/disclosure.tsx'
import { formatShort } from '../../../../components/instant.tsx'
import type { ChartBand, ChartSeries } from '../../../../components/line-chart.tsx'
import { Loaded } from '../../../../components/loaded.tsx'
import { Pill } from '../../../../components/notice.tsx'
import { Scroll } from '../../../../components/scroll.tsx'
import { Section } from '../../../../components/section.tsx'
import type { CourseProps } from '../kind-view.ts'
import { boundsWords, scores, scoreWords, vitals, vitalWords } from './vital-words.ts'
import { linesOf, type VitalLine, worstOf } from './vitals-course.ts'

const LineChart = lazy(() => import('../../../../components/line-chart.tsx'))

/** Further ones are in the table alone. */
const MOST_LINES = 8
const HEIGHT = 172
const HOUR_MS = 3_600_000
/** A check that has just begun is drawn from its first run on, but never stretched beyond this. */
const SHORTEST_SECONDS = 600

const spans = [
  { value: '1', label: '1 h', words: 'the last hour', minutes: 2 },
  { value: '24', label: '24 h', words: 'the last 24 hours', minutes: 30 },
  { value: '168', label: '7 d', words: 'the last 7 days', minutes: 180 },
  { value: '720', label: '30 d', words: 'the last 30 days', minutes: 720 },
] as const

const groupings = [
  { value: 'pageIndex', label: 'By page' },
  { value: 'runLocation', label: 'By location' },
] as const satisfies readonly { value: VitalGrouping; label: string }[]

const figureWords: Record<VitalFigure, string> = { p50: 'Median', p90: '90th percentile', p95: '95th percentile' }
const figures = VITAL_FIGURES.map((value) => ({ value, label: value === 'p50' ? 'Median' : value }))

/** How the pages of a browser check loaded over time, beside the bounds of what is good. */
export function VitalsSection({ checkId, firstRunAt }: CourseProps) {
  const [span, setSpan] = useState<(typeof spans)[number]['value']>(() =>
    firstRunAt !== undefined && Date.now() - Date.parse(firstRunAt) < HOUR_MS ? '1' : '24',
  )
  const [groupBy, setGroupBy] = useState<VitalGrouping>('pageIndex')
  const [figure, setFigure] = useState<VitalFigure>('p50')
  const { words, minutes } = spans.find(({ value }) => value === span) ?? spans[1]
  const asked = { hours: Number(span), minutes, groupBy }
  const query = useQuery({ ...vitalsQuery(checkId, asked), refetchInterval: usePollingMs() })
  return (
    <Section title="Web vitals" aside={<Choice label="Span of time" value={span} options={spans} onChange={setSpan} />}>
      <div className="mb-4 flex flex-wrap gap-x-4 gap-y-2">
        <Choice label="Figure" value={figure} options={figures} onChange={setFigure} />
        <Choice label="Lines" value={groupBy} options={groupings} onChange={setGroupBy} />
      </div>
      <Loaded query={query}>
        {(answer) =>
          answer.course.series.length === 0 ? (
            <p className="py-6 text-center text-soft">No page was measured in {words}.</p>
          ) : (
            <Charts vitals={answer} figure={figure} hours={asked.hours} words={words} />
          )
        }
      </Loaded>
      {groupBy === 'runLocation' && (
        <p className="mt-3 text-[0.8125rem] text-faint">Of the first page that each run opens.</p>
      )}
    </Section>
  )
}

interface ChartsProps {
  vitals: Vitals
  figure: VitalFigure
  hours: number
  words: string
}

function Charts({ vitals: answer, figure, hours, words }: ChartsProps) {
  const all = useMemo(
    () => WEB_VITALS.map((vital) => ({ vital, lines: linesOf(answer, vital, figure) })),
    [answer, figure],
  )
  const { from, to } = useMemo(() => {
    const to = Date.parse(answer.course.to) / 1000
    const first = Math.min(to, ...all.flatMap(({ lines }) => lines.flatMap(({ points }) => points[0]?.at ?? [])))
    return { from: Math.max(to - hours * 3600, Math.min(first - 10, to - SHORTEST_SECONDS)), to }
  }, [answer, all, hours])
  const labels = all[0]?.lines ?? []
  return (
    <>
      <Legend lines={labels.slice(0, MOST_LINES)} further={labels.length - MOST_LINES} />
      <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
        {all.map(({ vital, lines }) => (
          <VitalChart key={vital} vital={vital} lines={lines} figure={figure} words={words} from={from} to={to} />
        ))}
      </div>
      <div className="mt-4">
        <Disclosure summary="As a table">
          <VitalsTable all={all} figure={figure} />
        </Disclosure>
      </div>
    </>
  )
}

function Legend({ lines, further }: { lines: readonly VitalLine[]; further: number }) {
  return (
    <ul
      aria-label="Legend of the web vitals"
      className="mb-4 flex flex-wrap gap-x-5 gap-y-1 text-[0.8125rem] text-soft"
    >
      {lines.map(({ key, label }, index) => (
        <li key={key} className="flex min-w-0 items-center gap-2">
          <svg aria-hidden="true" width="26" height="8" viewBox="0 0 26 8" className="shrink-0">
            <path
              d="M0 4h26"
              strokeWidth="2"
              strokeDasharray={DASHES[index % DASHES.length]?.join(' ')}
              style={{ stroke: `var(--series-${(index % SERIES_COLORS) + 1})` }}
            />
          </svg>
          <span className="min-w-0 break-all">{label}</span>
        </li>
      ))}
      {further > 0 && <li>and {further} more in the table</li>}
    </ul>
  )
}

interface VitalChartProps {
  vital: WebVital
  lines: readonly VitalLine[]
  figure: VitalFigure
  words: string
  from: number
  to: number
}

function VitalChart({ vital, lines, figure, words, from, to }: VitalChartProps) {
  const { name, format } = vitals[vital]
  const [good] = WEB_VITAL_BOUNDS[vital]
  const worst = worstOf(lines)
  const series = useMemo<ChartSeries[]>(
    () =>
      lines.slice(0, MOST_LINES).map(({ label, points }) => ({
        label,
        points: points.map(({ at, value, score }) => ({
          at,
          value,
          tip: `${formatShort(at * 1000)} · ${label} · ${format(value)} · ${scoreWords(score)}`,
        })),
      })),
    [lines, format],
  )
  const said = lines.map(({ label, whole }) => `${label} ${whole === null ? 'not told' : format(whole.value)}`)
  return (
    <article className="min-w-0">
      <div className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="text-[0.875rem] font-semibold">
          {vital} <span className="text-[0.8125rem] font-normal text-faint">{name}</span>
        </h3>
        {worst?.whole && (
          <p className="flex items-center gap-2 text-[0.875rem]">
            {lines.length > 1 && <span className="text-[0.8125rem] text-faint">worst</span>}
            <span className="font-semibold">{format(worst.whole.value)}</span>
            <Pill tone={scores[worst.whole.score].tone} icon={scores[worst.whole.score].icon}>
              {scores[worst.whole.score].word}
            </Pill>
          </p>
        )}
      </div>
      <Suspense fallback={<div style={{ height: HEIGHT }} />}>
        <LineChart
          label={`${name} in ${words}, ${figureWords[figure]}: ${said.join(', ')}. The same as a table below.`}
          series={series}
          bands={BANDS[vital]}
          height={HEIGHT}
          least={good * 1.25}
          from={from}
          to={to}
          formatValue={format}
        />
      </Suspense>
      <p className="text-[0.75rem] text-faint">{boundsWords(vital)}</p>
    </article>
  )
}

const bandsOf = (vital: WebVital): ChartBand[] => {
  const [good, poor] = WEB_VITAL_BOUNDS[vital]
  return [
    { from: 0, to: good, name: 'good', color: '--good' },
    { from: good, to: poor, name: 'needs improvement', color: '--warn' },
    { from: poor, name: 'poor', color: '--bad' },
  ]
}
const BANDS: Record<WebVital, readonly ChartBand[]> = {
  TTFB: bandsOf('TTFB'),
  FCP: bandsOf('FCP'),
  LCP: bandsOf('LCP'),
  CLS: bandsOf('CLS'),
  TBT: bandsOf('TBT'),
}

function VitalsTable({
  all,
  figure,
}: {
  all: readonly { vital: WebVital; lines: VitalLine[] }[]
  figure: VitalFigure
}) {
  const rows = all[0]?.lines ?? []
  return (
    <Scroll label="Web vitals">
      <table className="data-table data-table-inset">
        <caption className="sr-only">{figureWords[figure]} of each web vital</caption>
        <thead>
          <tr>
            <td />
            {all.map(({ vital }) => (
              <th key={vital} scope="col" className="number">
                {vital}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, label }, row) => (
            <tr key={key}>
              <th scope="row" className="min-w-40 break-all">
                {label}
              </th>
              {all.map(({ vital, lines }) => {
                const whole = lines[row]?.whole ?? null
                return (
                  <td key={vital} className="number whitespace-nowrap">
                    {whole === null ? (
                      '–'
                    ) : (
                      <>
                        {vitalWords(vital, whole.value)}
                        <span className="block text-xs text-faint">{scoreWords(whole.score)}</span>
                      </>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
