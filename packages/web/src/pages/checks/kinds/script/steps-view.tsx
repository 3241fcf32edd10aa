import type { ScriptStep, ScriptTest } from '@vedette/schema'
import { type ReactNode, useMemo, useState } from 'react'
import { Icon } from '../../../../components/icon.tsx'
import { formatMs, plural } from '../../../../components/number.ts'
import { ErrorView, placeWords } from './error-view.tsx'
import { type Axis, axisOf, placeOf, type StepNode, stepTree, withGaps } from './step-tree.ts'

interface Category {
  word: string
  fill: string
}

const CATEGORIES: Record<string, Category> = {
  'test.step': { word: 'step', fill: 'bg-(--series-3)' },
  'pw:api': { word: 'action', fill: 'bg-(--series-1)' },
  expect: { word: 'expectation', fill: 'bg-(--series-4)' },
  hook: { word: 'hook', fill: 'bg-idle' },
  fixture: { word: 'fixture', fill: 'bg-idle' },
}
const categoryOf = (category: string): Category => CATEGORIES[category] ?? { word: category, fill: 'bg-(--series-6)' }

/** The columns of every row, so that all bars stand on one axis however deep their steps are. */
const COLUMNS =
  'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,1fr)_minmax(0,42%)_4.5rem]'
const DEEPEST_INDENT = 8

/** Of a list of steps as many are shown at once, beside those that failed; further ones at a click. */
const MOST_AT_ONCE = 50
/** The steps that a test has itself stand open, unless it has more than this in all. */
const MOST_OPEN = 80

/** What a test did, step within step, each on the time axis of the test. */
export function StepsView({ test }: { test: ScriptTest }) {
  const roots = useMemo(() => stepTree(test.steps), [test])
  const axis = useMemo(() => axisOf(test), [test])
  if (roots.length === 0) return <p className="text-[0.875rem] text-soft">It did not come to a first step.</p>
  return (
    <div>
      <div
        aria-hidden="true"
        className={`${COLUMNS} border-b border-line pb-1 text-[0.75rem] text-faint max-sm:hidden`}
      >
        <span>Step</span>
        <span className="flex justify-between">
          <span>0</span>
          <span>{formatMs(axis.duration / 2)}</span>
          <span>{formatMs(axis.duration)}</span>
        </span>
        <span className="text-right">Took</span>
      </div>
      <Steps label={`Steps of ${test.title.at(-1) ?? 'the test'}`} nodes={roots} test={test} axis={axis} />
    </div>
  )
}

interface OfTest {
  test: ScriptTest
  axis: Axis
}

function Steps({ label, nodes, test, axis }: OfTest & { label?: string; nodes: readonly StepNode[] }) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const shown = withGaps(nodes, { most: MOST_AT_ONCE, mustShow: (node) => isCulprit(node, test), opened })
  return (
    <ul aria-label={label}>
      {shown.map((one) =>
        'item' in one ? (
          <li key={one.index} className="border-b border-line last:border-b-0">
            <Step node={one.item} test={test} axis={axis} />
          </li>
        ) : (
          <li key={one.from} className="border-b border-line py-1.5 last:border-b-0">
            <Gap {...one} onOpen={(indexes) => setOpened(new Set([...opened, ...indexes]))} />
          </li>
        ),
      )}
    </ul>
  )
}

function Gap({ from, to, onOpen }: { from: number; to: number; onOpen: (indexes: number[]) => void }) {
  const next = Math.min(to - from, 4 * MOST_AT_ONCE)
  return (
    <button
      type="button"
      className="button button-quiet w-full"
      onClick={() => onOpen(Array.from({ length: next }, (_, index) => from + index))}
    >
      {next < to - from
        ? `Show ${next} of ${plural(to - from, 'more step')}`
        : `Show ${plural(to - from, 'more step')}`}
    </button>
  )
}

/** Whether it is what the test ended at: it failed, or was still under way when time was up. */
const isCulprit = ({ step, isTroubled }: StepNode, test: ScriptTest): boolean => isTroubled || isCutOff(step, test)
const isCutOff = ({ duration }: ScriptStep, { status }: ScriptTest): boolean =>
  duration === null && status === 'timedOut'

function Step({ node, test, axis }: OfTest & { node: StepNode }) {
  const { step, children, tells } = node
  const [open, setOpen] = useState(
    isCulprit(node, test) || (step.depth === 0 && step.category === 'test.step' && test.steps.length <= MOST_OPEN),
  )
  const hasMore = children.length > 0 || tells !== null
  if (!hasMore) {
    return (
      <div className={`${COLUMNS} py-1.5`}>
        <Row node={node} test={test} axis={axis} marker={<span className="w-3.5 shrink-0" />} />
      </div>
    )
  }
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={`${COLUMNS} list-none py-1.5 hover:bg-sunken [&::-webkit-details-marker]:hidden`}>
        <Row
          node={node}
          test={test}
          axis={axis}
          marker={
            <Icon name="chevron" size={14} className={`text-faint transition-transform ${open ? 'rotate-90' : ''}`} />
          }
        />
      </summary>
      {open && (
        <>
          {tells && (
            <div className="pb-3 sm:pl-6">
              <ErrorView error={tells} />
            </div>
          )}
          {children.length > 0 && (
            <div className="border-t border-line">
              <Steps nodes={children} test={test} axis={axis} />
            </div>
          )}
        </>
      )}
    </details>
  )
}

/** Without a box of its own: what it holds are cells of the row. */
function Row({ node: { step }, test, axis, marker }: OfTest & { node: StepNode; marker: ReactNode }) {
  const { title, category, duration, error, location } = step
  const { word, fill } = categoryOf(category)
  const { left, width } = placeOf(step, axis)
  const cutOff = isCutOff(step, test)
  const bad = error !== null || cutOff
  return (
    <>
      <span
        className="flex min-w-0 items-start gap-1.5 text-[0.875rem]"
        style={{ paddingLeft: `${Math.min(step.depth, DEEPEST_INDENT) * 0.875}rem` }}
        title={location === null ? undefined : placeWords(location)}
      >
        <span className="flex h-5.25 items-center">{marker}</span>
        {bad && (
          <span className="flex h-5.25 items-center text-bad">
            <Icon name={error === null ? 'slow' : 'cross'} size={14} />
            <span className="sr-only">{error === null ? 'Time was up:' : 'Failed:'}</span>
          </span>
        )}
        <span className={`min-w-0 break-words ${bad ? 'font-semibold text-bad' : ''}`}>
          {title} <span className="text-[0.75rem] font-normal text-faint">{word}</span>
        </span>
      </span>
      <span
        aria-hidden="true"
        className="relative order-last col-span-2 h-2.5 rounded-sm bg-sunken sm:order-none sm:col-span-1"
      >
        <span
          className={`absolute inset-y-0 min-w-0.75 rounded-sm ${bad ? 'bg-bad' : fill} ${duration === null ? 'opacity-50' : ''}`}
          style={{ left: `min(${left}%, calc(100% - 3px))`, width: `${width}%` }}
        />
      </span>
      <span className="text-right text-[0.8125rem] whitespace-nowrap text-soft">
        {duration === null ? (cutOff ? 'time was up' : 'no end') : formatMs(duration)}
      </span>
    </>
  )
}
