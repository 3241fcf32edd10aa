/** A row of small bars, told apart by shape as well as colour, with a text that says the same. */
import { type PointerEvent, useId, useState } from 'react'
import { type Tone, toneText } from './notice.tsx'

/** solid: filled. striped: hatched. split: a tall bar over a dot, like an exclamation mark. hollow: an outline. */
export type BarShape = 'solid' | 'striped' | 'split' | 'hollow'

export interface Bar {
  id: string
  shape: BarShape
  tone: Tone
  value: number
  tip: string
}

interface BarsProps {
  bars: readonly Bar[]
  /** How many places there are; missing ones stay empty on the left. */
  places: number
  label: string
  onPick?: (id: string) => void
}

const STEP = 8
const WIDTH = 6
const HEIGHT = 30

export function Bars({ bars, places, label, onPick }: BarsProps) {
  const hatch = useId()
  const [at, setAt] = useState<number | null>(null)
  const shown = bars.slice(-places)
  const offset = places - shown.length
  const highest = Math.max(1, ...shown.map(({ value }) => value))

  const find = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const index = Math.floor(((event.clientX - box.left) / box.width) * places) - offset
    setAt(index >= 0 && index < shown.length ? index : null)
  }
  const under = at === null ? undefined : shown[at]

  return (
    <div className="relative">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a shortcut for pointers; what it leads to is in a list of links too */}
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${places * STEP - 2} ${HEIGHT}`}
        className={`block h-7.5 w-full overflow-visible ${onPick && under ? 'cursor-pointer' : ''}`}
        preserveAspectRatio="none"
        onPointerMove={find}
        onPointerDown={find}
        onPointerLeave={() => setAt(null)}
        onClick={() => under && onPick?.(under.id)}
      >
        <defs className={toneText[shown.find(({ shape }) => shape === 'striped')?.tone ?? 'idle']}>
          <pattern id={hatch} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="2.2" height="4" fill="currentColor" />
          </pattern>
        </defs>
        {Array.from({ length: offset }, (_, place) => place * STEP).map((x) => (
          <rect key={x} x={x} y={HEIGHT - 3} width={WIDTH} height="3" rx="1" className="fill-line" />
        ))}
        {shown.map((bar, index) => (
          <g key={bar.id} className={toneText[bar.tone]} opacity={at === null || at === index ? 1 : 0.55}>
            <BarDrawing
              shape={bar.shape}
              x={(offset + index) * STEP}
              height={heightOf(bar.value, highest)}
              hatch={hatch}
            />
          </g>
        ))}
      </svg>
      {under && at !== null && (
        <div
          aria-hidden="true"
          className="pointer-events-none absolute bottom-full z-20 mb-1.5 -translate-x-1/2 rounded-md bg-ink px-2.5 py-1 text-xs whitespace-nowrap text-paper shadow-lift"
          style={{ left: `${Math.min(80, Math.max(20, ((offset + at + 0.5) / places) * 100))}%` }}
        >
          {under.tip}
        </div>
      )}
    </div>
  )
}

function BarDrawing({ shape, x, height, hatch }: { shape: BarShape; x: number; height: number; hatch: string }) {
  const y = HEIGHT - height
  switch (shape) {
    case 'solid':
      return <rect x={x} y={y} width={WIDTH} height={height} rx="1.5" fill="currentColor" />
    case 'striped':
      return (
        <>
          <rect x={x} y={y} width={WIDTH} height={height} rx="1.5" fill={`url(#${hatch})`} />
          <rect x={x} y={y} width={WIDTH} height="2.5" rx="1" fill="currentColor" />
          <rect x={x} y={HEIGHT - 2} width={WIDTH} height="2" fill="currentColor" />
        </>
      )
    case 'split':
      return (
        <>
          <rect x={x} y="0" width={WIDTH} height={HEIGHT - 9} rx="1.5" fill="currentColor" />
          <rect x={x} y={HEIGHT - 6} width={WIDTH} height="6" rx="1.5" fill="currentColor" />
        </>
      )
    case 'hollow':
      return (
        <rect
          x={x + 0.8}
          y={HEIGHT * 0.4}
          width={WIDTH - 1.6}
          height={HEIGHT * 0.6 - 0.8}
          rx="1.5"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
        />
      )
  }
}

/** The slowest of the row fills three quarters, so that a tall bar stays a word of its own. */
const heightOf = (value: number, highest: number): number => 5 + (value / highest) * (HEIGHT * 0.78 - 5)
