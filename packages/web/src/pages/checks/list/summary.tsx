import type { CheckSummary } from '@vedette/schema'
import type { ListedState, OverviewFilter } from '../../../api/overviews.ts'
import { Icon } from '../../../components/icon.tsx'
import { Notice, toneText } from '../../../components/notice.tsx'
import { formatCount, plural } from '../../../components/number.ts'
import { listedStates } from '../verdict.tsx'

const order = ['failing', 'degraded', 'passing', 'unknown', 'paused'] as const
/** Shown even when no check is in them: their zero is news. */
const always: readonly ListedState[] = ['failing', 'degraded', 'passing']

interface SummaryProps {
  summary: CheckSummary | undefined
  state: OverviewFilter['state']
  onState: (state: OverviewFilter['state']) => void
}

/** How many checks are in which state, over all pages of the list; a state leads to its checks. */
export function Summary({ summary, state: chosen, onState }: SummaryProps) {
  const shown = order.filter((state) => always.includes(state) || state === chosen || (summary?.[state] ?? 0) > 0)
  return (
    <section aria-label="Checks by state" className="mb-4">
      <ul className="grid grid-cols-3 gap-2 sm:flex sm:flex-wrap">
        <li>
          <Tile label="All" count={summary?.total} pressed={chosen === ''} onPress={() => onState('')} />
        </li>
        {shown.map((state) => {
          const { word, tone, icon } = listedStates[state]
          const count = summary?.[state]
          return (
            <li key={state}>
              <Tile
                label={
                  <>
                    <Icon name={icon} size={13} /> {word}
                  </>
                }
                count={count}
                className={count === 0 ? 'text-faint' : toneText[tone]}
                pressed={state === chosen}
                onPress={() => onState(state === chosen ? '' : state)}
              />
            </li>
          )
        })}
      </ul>
      {summary !== undefined && summary.inError > 0 && (
        <Notice tone="ours">
          {plural(summary.inError, 'check')} could not be judged in the latest run: trouble of Vedette’s own, which says
          nothing about the targets.
        </Notice>
      )}
    </section>
  )
}

interface TileProps {
  label: React.ReactNode
  count: number | undefined
  className?: string
  pressed: boolean
  onPress: () => void
}

function Tile({ label, count, className, pressed, onPress }: TileProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className={`w-full rounded-lg border px-3 py-1.5 text-left hover:border-strong sm:min-w-28 ${
        pressed ? 'border-accent bg-surface shadow-[inset_0_-2px_0_var(--accent)]' : 'border-line bg-surface'
      } ${className ?? 'text-ink'}`}
    >
      <span className="block text-xl leading-7 font-semibold">{count === undefined ? '–' : formatCount(count)}</span>
      <span className="flex items-center gap-1.5 text-[0.8125rem] font-medium whitespace-nowrap">{label}</span>
    </button>
  )
}
