import { type DayCount, dayWords } from './day-counts.ts'

const STEP = 7
const WIDTH = 5
const HEIGHT = 24

/** A bar a day, with a text that says the same. A day without anything is a line. */
export function DayBars({ days }: { days: readonly DayCount[] }) {
  const most = Math.max(1, ...days.map(({ count }) => count))
  const words = dayWords(days)
  return (
    <svg
      role="img"
      aria-label={words}
      width={days.length * STEP - 2}
      height={HEIGHT}
      viewBox={`0 0 ${days.length * STEP - 2} ${HEIGHT}`}
      className="block"
    >
      <title>{words}</title>
      {days.map(({ day, count }, place) => {
        const height = count === 0 ? 2 : 4 + (count / most) * (HEIGHT - 4)
        return (
          <rect
            key={day}
            x={place * STEP}
            y={HEIGHT - height}
            width={WIDTH}
            height={height}
            rx="1"
            className={count === 0 ? 'fill-line' : 'fill-bad'}
          />
        )
      })}
    </svg>
  )
}
