/**
 * Values over time: a line per series, told apart by dashes as well as colour, with a lane of marks above.
 * It brings uPlot along, so load it lazily. What it shows must also be said in text beside it.
 */
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { DASHES, SERIES_COLORS } from './chart-looks.ts'
import { useTheme } from './theme.ts'

export interface ChartPoint {
  /** Seconds since 1970. */
  at: number
  /** Null breaks the line. */
  value: number | null
  tip: string
  id?: string
}

export interface ChartSeries {
  label: string
  points: readonly ChartPoint[]
}

export type MarkShape = 'cross' | 'ring' | 'bar'

export interface ChartMark {
  at: number
  shape: MarkShape
  /** A colour property of the theme, such as `--bad`. */
  color: string
}

/** A range of values that means something, with its name at the edge. */
export interface ChartBand {
  from: number
  /** Absent: all above. */
  to?: number
  name: string
  color: string
}

interface LineChartProps {
  label: string
  series: readonly ChartSeries[]
  marks?: readonly ChartMark[]
  bands?: readonly ChartBand[]
  height?: number
  /** How far the axis of values reaches at least. */
  least?: number
  /** The span of time shown, in seconds since 1970. */
  from: number
  to: number
  formatValue: (value: number) => string
  onPick?: (id: string) => void
}

const LANE = 22
const NO_MARKS: readonly ChartMark[] = []
const NO_BANDS: readonly ChartBand[] = []

export default function LineChart({
  label,
  series,
  marks = NO_MARKS,
  bands = NO_BANDS,
  height = 260,
  least = 10,
  from,
  to,
  formatValue,
  onPick,
}: LineChartProps) {
  const host = useRef<HTMLDivElement>(null)
  const tip = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  const pick = useRef(onPick)
  pick.current = onPick

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the colours that are read from the page
  useEffect(() => {
    const element = host.current
    if (!element) return
    const points = series
      .flatMap(({ points }, of) => points.map((point) => ({ ...point, of })))
      .sort((a, b) => a.at - b.at)
    // A place in the list belongs to one series: undefined elsewhere lets the line pass, null breaks it.
    const data: uPlot.AlignedData = [
      points.map(({ at }) => at),
      ...series.map((_, of) => points.map((point) => (point.of === of ? point.value : undefined))),
    ]
    const color = (name: string) => getComputedStyle(element).getPropertyValue(name).trim()
    const grid = { stroke: color('--line'), width: 1 }
    const axis = { stroke: color('--ink-faint'), grid, ticks: { show: false }, font: '12px system-ui, sans-serif' }
    let under: (typeof points)[number] | undefined

    const showTip = (plot: uPlot) => {
      const box = tip.current
      const { idx, left } = plot.cursor
      under = idx === null || idx === undefined || left === undefined || left < 0 ? undefined : points[idx]
      if (!box) return
      box.hidden = under === undefined
      if (!under) return
      box.textContent = under.tip
      const x = plot.valToPos(under.at, 'x') + plot.bbox.left / devicePixelRatio
      box.style.left = `${Math.min(plot.width - box.offsetWidth - 4, Math.max(4, x - box.offsetWidth / 2))}px`
      box.style.top = '0px'
    }

    const plot = new uPlot(
      {
        width: element.clientWidth,
        height,
        padding: [marks.length > 0 || bands.length === 0 ? LANE : 6, 26, 0, 0],
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, y: false, points: { size: 7 } },
        scales: {
          x: { range: [from, to] },
          y: { range: (_, __, max) => [0, Math.max(least, (max ?? 0) * 1.08)] },
        },
        axes: [
          { ...axis, space: 70, size: 30, values: (_, splits) => splits.map(formatTick) },
          { ...axis, size: 62, values: (_, splits) => splits.map(formatValue) },
        ],
        series: [
          {},
          ...series.map((one, of) => ({
            label: one.label,
            stroke: color(`--series-${(of % SERIES_COLORS) + 1}`),
            width: 1.6,
            dash: [...(DASHES[of % DASHES.length] ?? [])],
            points: { show: points.length < 80, size: 4 },
          })),
        ],
        hooks: {
          drawClear: [(plot) => drawBands(plot, bands, color)],
          draw: [(plot) => drawMarks(plot, marks, color)],
          setCursor: [showTip],
        },
      },
      data,
      element,
    )
    const choose = () => under?.id !== undefined && pick.current?.(under.id)
    plot.over.addEventListener('click', choose)
    const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    resize.observe(element)
    return () => {
      resize.disconnect()
      plot.destroy()
    }
  }, [series, marks, bands, height, least, from, to, formatValue, theme])

  return (
    <div className="relative">
      <div
        ref={host}
        role="img"
        aria-label={label}
        style={{ minHeight: height }}
        className={`overflow-hidden ${onPick ? '[&_.u-over]:cursor-pointer' : ''}`}
      />
      <div
        ref={tip}
        hidden
        aria-hidden="true"
        className="pointer-events-none absolute z-10 rounded-md bg-ink px-2.5 py-1 text-xs whitespace-nowrap text-paper shadow-lift"
      />
    </div>
  )
}

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric' })

/** The time of day; at midnight the day that begins. */
function formatTick(seconds: number): string {
  const at = new Date(seconds * 1000)
  return (at.getHours() === 0 && at.getMinutes() === 0 ? day : clock).format(at)
}

/** Marks closer than this, in pixels of the page, would run into each other and are drawn as one stretch. */
const APART = 11
/** Beyond, what leads down from the marks would fill the chart. */
const MOST_TRACES = 40

interface Stretch extends Pick<ChartMark, 'shape' | 'color'> {
  from: number
  to: number
}

function stretchesOf(plot: uPlot, marks: readonly ChartMark[]): Stretch[] {
  const { bbox } = plot
  const stretches: Stretch[] = []
  const last = new Map<string, Stretch>()
  for (const { at, shape, color } of marks) {
    const x = plot.valToPos(at, 'x', true)
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    const before = last.get(shape)
    if (before && x - before.to < APART * devicePixelRatio) {
      before.to = Math.max(before.to, x)
      continue
    }
    const stretch = { shape, color, from: x, to: x }
    last.set(shape, stretch)
    stretches.push(stretch)
  }
  return stretches
}

function drawBands(plot: uPlot, bands: readonly ChartBand[], color: (name: string) => string): void {
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  const bottom = bbox.top + bbox.height
  const within = (y: number) => Math.min(Math.max(y, bbox.top), bottom)
  ctx.save()
  ctx.font = `${11 * ratio}px system-ui, sans-serif`
  ctx.textAlign = 'right'
  ctx.textBaseline = 'top'
  for (const { from, to, name, color: of } of bands) {
    const top = to === undefined ? bbox.top : within(plot.valToPos(to, 'y', true))
    const low = within(plot.valToPos(from, 'y', true))
    if (low - top < ratio) continue
    ctx.fillStyle = color(of)
    ctx.globalAlpha = 0.09
    ctx.fillRect(bbox.left, top, bbox.width, low - top)
    ctx.globalAlpha = 1
    if (low - top > 18 * ratio) ctx.fillText(name, bbox.left + bbox.width - 5 * ratio, top + 3 * ratio)
  }
  ctx.restore()
}

function drawMarks(plot: uPlot, marks: readonly ChartMark[], color: (name: string) => string): void {
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  const y = bbox.top - (LANE / 2) * ratio
  const stretches = stretchesOf(plot, marks)
  ctx.save()
  ctx.lineCap = 'round'
  ctx.setLineDash([])
  for (const { shape, color: name, from, to } of stretches) {
    ctx.strokeStyle = color(name)
    ctx.fillStyle = color(name)
    if (stretches.length <= MOST_TRACES) {
      ctx.globalAlpha = to > from ? 0.1 : 0.25
      ctx.fillRect(from - ratio / 2, bbox.top, to - from + ratio, bbox.height)
      ctx.globalAlpha = 1
    }
    ctx.lineWidth = 1.8 * ratio
    const middle = (from + to) / 2
    const gap = 9 * ratio
    if (to - from > 2 * gap) {
      line(ctx, from, y, middle - gap, y)
      line(ctx, middle + gap, y, to, y)
    }
    drawMark(ctx, shape, middle, y, 4 * ratio)
  }
  ctx.restore()
}

function drawMark(ctx: CanvasRenderingContext2D, shape: MarkShape, x: number, y: number, size: number): void {
  switch (shape) {
    case 'cross':
      line(ctx, x - size, y - size, x + size, y + size)
      line(ctx, x + size, y - size, x - size, y + size)
      break
    case 'ring':
      ctx.beginPath()
      ctx.arc(x, y, size, 0, 2 * Math.PI)
      ctx.stroke()
      break
    case 'bar':
      line(ctx, x, y - size * 1.2, x, y + size * 1.2)
      break
  }
}

function line(ctx: CanvasRenderingContext2D, fromX: number, fromY: number, toX: number, toY: number): void {
  ctx.beginPath()
  ctx.moveTo(fromX, fromY)
  ctx.lineTo(toX, toY)
  ctx.stroke()
}
