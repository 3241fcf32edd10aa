import type { ScriptTest } from '@vedette/schema'
import { type ReactNode, useState } from 'react'
import { Icon } from '../../../../components/icon.tsx'
import { formatMs } from '../../../../components/number.ts'
import { ErrorView, placeWords } from './error-view.tsx'
import { placeOf, type StepNode, stepTree } from './step-tree.ts'

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

/** What a test did, step within step, each on the time axis of the test. */
export function StepsView({ test }: { test: ScriptTest }) {
  const roots = stepTree(test.steps)
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
          <span>{formatMs(test.duration / 2)}</span>
          <span>{formatMs(test.duration)}</span>
        </span>
        <span className="text-right">Took</span>
      </div>
      <Steps label={`Steps of ${test.title.at(-1) ?? 'the test'}`} nodes={roots} test={test} />
    </div>
  )
}

function Steps({ label, nodes, test }: { label?: string; nodes: readonly StepNode[]; test: ScriptTest }) {
  return (
    <ul aria-label={label}>
      {nodes.map((node, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps do not change
        <li key={index} className="border-b border-line last:border-b-0">
          <Step node={node} test={test} />
        </li>
      ))}
    </ul>
  )
}

function Step({ node, test }: { node: StepNode; test: ScriptTest }) {
  const { step, children, isTroubled, tells } = node
  const [open, setOpen] = useState(isTroubled || (step.depth === 0 && step.category === 'test.step'))
  const hasMore = children.length > 0 || tells !== null
  if (!hasMore) {
    return (
      <div className={`${COLUMNS} py-1.5`}>
        <Row node={node} test={test} marker={<span className="w-3.5 shrink-0" />} />
      </div>
    )
  }
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={`${COLUMNS} list-none py-1.5 hover:bg-sunken [&::-webkit-details-marker]:hidden`}>
        <Row
          node={node}
          test={test}
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
              <Steps nodes={children} test={test} />
            </div>
          )}
        </>
      )}
    </details>
  )
}

/** Without a box of its own: what it holds are cells of the row. */
function Row({ node: { step }, test, marker }: { node: StepNode; test: ScriptTest; marker: ReactNode }) {
  const { title, category, duration, error, location } = step
  const { word, fill } = categoryOf(category)
  const { left, width } = placeOf(step, test)
  return (
    <>
      <span
        className="flex min-w-0 items-start gap-1.5 text-[0.875rem]"
        style={{ paddingLeft: `${Math.min(step.depth, DEEPEST_INDENT) * 0.875}rem` }}
        title={location === null ? undefined : placeWords(location)}
      >
        <span className="flex h-5.25 items-center">{marker}</span>
        {error && (
          <span className="flex h-5.25 items-center text-bad">
            <Icon name="cross" size={14} />
            <span className="sr-only">Failed:</span>
          </span>
        )}
        <span className={`min-w-0 break-words ${error ? 'font-semibold text-bad' : ''}`}>
          {title} <span className="text-[0.75rem] font-normal text-faint">{word}</span>
        </span>
      </span>
      <span
        aria-hidden="true"
        className="relative order-last col-span-2 h-2.5 rounded-sm bg-sunken sm:order-none sm:col-span-1"
      >
        <span
          className={`absolute inset-y-0 min-w-0.75 rounded-sm ${error ? 'bg-bad' : fill} ${duration === null ? 'opacity-50' : ''}`}
          style={{ left: `min(${left}%, calc(100% - 3px))`, width: `${width}%` }}
        />
      </span>
      <span className="text-right text-[0.8125rem] whitespace-nowrap text-soft">
        {duration === null ? 'no end' : formatMs(duration)}
      </span>
    </>
  )
}
