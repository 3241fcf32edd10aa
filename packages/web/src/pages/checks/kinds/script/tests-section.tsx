import type { LinkedAsset, ScriptTest } from '@vedette/schema'
import { useState } from 'react'
import { sameOrigin } from '../../../../api/same-origin.ts'
import { Disclosure } from '../../../../components/disclosure.tsx'
import { Icon, type IconName } from '../../../../components/icon.tsx'
import { Pill, type Tone } from '../../../../components/notice.tsx'
import { formatMs, plural } from '../../../../components/number.ts'
import { Section } from '../../../../components/section.tsx'
import { ErrorView, placeWords } from './error-view.tsx'
import { scriptInBrief } from './in-brief.ts'
import {
  bySource,
  errorsBesideSteps,
  isFlaky,
  isUnwanted,
  type TestSource,
  type TestTries,
  triesOf,
} from './step-tree.ts'
import { StepsView } from './steps-view.tsx'

const statuses: Record<ScriptTest['status'], { word: string; tone: Tone; icon: IconName }> = {
  passed: { word: 'Passed', tone: 'good', icon: 'check' },
  failed: { word: 'Failed', tone: 'bad', icon: 'cross' },
  timedOut: { word: 'Timed out', tone: 'bad', icon: 'slow' },
  skipped: { word: 'Skipped', tone: 'idle', icon: 'pause' },
  interrupted: { word: 'Interrupted', tone: 'warn', icon: 'question' },
}

function StatusPill({ test: { status, expected } }: { test: ScriptTest }) {
  const { word, tone, icon } = statuses[status]
  if (status === 'skipped' || expected === 'passed' || expected === 'skipped') {
    return (
      <Pill tone={tone} icon={icon}>
        {word}
      </Pill>
    )
  }
  return isUnwanted({ status, expected }) ? (
    <Pill tone="bad" icon="cross">
      {word}, but was to fail
    </Pill>
  ) : (
    <Pill tone="good" icon="check">
      {word}, as expected
    </Pill>
  )
}

/** Where there are more, those that went well are folded. */
const MOST_OPEN = 8

interface TestsSectionProps {
  tests: readonly ScriptTest[]
  assets: readonly LinkedAsset[]
}

/** Each test with what it did. Of one that was tried again, the last try counts and stands open. */
export function TestsSection({ tests, assets }: TestsSectionProps) {
  const all = triesOf(tests)
  const sources = bySource(all)
  return (
    <Section title="Tests" aside={scriptInBrief({ tests: [...tests] })}>
      {all.length === 0 && <p className="text-[0.875rem] text-soft">No test came to run.</p>}
      {sources.length > 1 ? (
        <div className="space-y-6">
          {sources.map((source) => (
            <Source key={`${source.project} ${source.file}`} source={source} assets={assets} />
          ))}
        </div>
      ) : (
        <Tests tests={all} assets={assets} folds={all.length > MOST_OPEN} />
      )}
    </Section>
  )
}

/** The tests of a file in a project: where there are several, each is a line that opens. */
function Source({ source: { file, project, tests }, assets }: { source: TestSource; assets: readonly LinkedAsset[] }) {
  const wrong = tests.filter(({ last }) => isUnwanted(last)).length
  return (
    <section>
      <h3 className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line pb-1.5">
        <span className="min-w-0 break-words">
          <span className="font-mono text-[0.8125rem] font-semibold break-all">{file}</span>{' '}
          {project !== '' && <span className="ml-1 text-[0.8125rem] text-soft">{project}</span>}
        </span>
        <span className="text-[0.8125rem] text-faint">
          {wrong === 0 ? plural(tests.length, 'test') : `${wrong} of ${plural(tests.length, 'test')} failed`}
        </span>
      </h3>
      <Tests tests={tests} assets={assets} folds />
    </section>
  )
}

interface TestsProps {
  tests: readonly TestTries[]
  assets: readonly LinkedAsset[]
  folds: boolean
}

function Tests({ tests, assets, folds }: TestsProps) {
  return (
    <div className={folds ? 'divide-y divide-line [&>*]:py-3' : 'space-y-7'}>
      {tests.map((one) => (
        <Test key={one.key} test={one} assets={assets} folds={folds} />
      ))}
    </div>
  )
}

interface TestProps {
  test: TestTries
  assets: readonly LinkedAsset[]
  folds: boolean
}

function Test({ test, assets, folds }: TestProps) {
  const { last } = test
  const [open, setOpen] = useState(!folds || isUnwanted(last))
  const body = (
    <>
      <Traces of={last} assets={assets} />
      <TestBody test={test} />
    </>
  )
  if (!folds) {
    return (
      <article>
        <TestHeader test={test} />
        {body}
      </article>
    )
  }
  return (
    <article>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="flex list-none items-start gap-2 [&::-webkit-details-marker]:hidden">
          <Icon
            name="chevron"
            size={14}
            className={`mt-1 text-faint transition-transform ${open ? 'rotate-90' : ''}`}
          />
          <div className="min-w-0 flex-1">
            <TestHeader test={test} />
          </div>
        </summary>
        {open && body}
      </details>
    </article>
  )
}

function TestHeader({ test: tries }: { test: TestTries }) {
  const { last: test } = tries
  return (
    <div className="mb-2 flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5">
      <div className="min-w-0">
        <h3 className="text-[0.9375rem] font-semibold break-words">{test.title.join(' › ')}</h3>
        <p className="text-[0.8125rem] break-all text-faint">
          <span className="font-mono">{placeWords(test.location)}</span>
          {test.project !== '' && `, ${test.project}`}
        </p>
      </div>
      <p className="flex items-center gap-3 text-[0.875rem] text-soft">
        <span>{formatMs(test.duration)}</span>
        {isFlaky(tries) && (
          <Pill tone="warn" icon="slow">
            Flaky
          </Pill>
        )}
        <StatusPill test={test} />
      </p>
    </div>
  )
}

/** The ways into the traces of a test, at the test itself. */
function Traces({ of: { title }, assets }: { of: ScriptTest; assets: readonly LinkedAsset[] }) {
  const traces = assets.flatMap(({ test, name, viewer }) =>
    viewer !== null && test === title.join(' › ') ? [{ name, viewer }] : [],
  )
  if (traces.length === 0) return null
  return (
    <p className="mb-2.5 flex flex-wrap gap-x-4 gap-y-1 text-[0.875rem]">
      {traces.map(({ name, viewer }, index) => (
        <a
          key={name}
          href={sameOrigin(viewer)}
          target="_blank"
          rel="noreferrer"
          className="link inline-flex items-center gap-1"
        >
          <Icon name="external" size={14} /> See its trace{traces.length > 1 && ` ${index + 1}`}
        </a>
      ))}
    </p>
  )
}

function TestBody({ test: { tries, last } }: { test: TestTries }) {
  return (
    <>
      {last.annotations.map(({ type, description }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they do not change
        <p key={index} className="mb-1.5 text-[0.8125rem] break-words text-soft">
          <span className="font-semibold">{type}</span>
          {description !== '' && `: ${description}`}
        </p>
      ))}
      {tries.slice(0, -1).map((one) => (
        <Disclosure
          key={one.retry}
          summary={
            <>
              Try {one.retry + 1} <StatusPill test={one} />
              <span className="font-normal">{formatMs(one.duration)}</span>
            </>
          }
        >
          <div className="mb-4 border-l-2 border-line pl-3">
            <Try test={one} />
          </div>
        </Disclosure>
      ))}
      {tries.length > 1 && <p className="mt-2 mb-1 text-[0.875rem] font-semibold text-soft">Try {last.retry + 1}</p>}
      <Try test={last} />
    </>
  )
}

function Try({ test }: { test: ScriptTest }) {
  const errors = errorsBesideSteps(test)
  return (
    <>
      {errors.length > 0 && (
        <div className="mb-3 space-y-2">
          {errors.map((error, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: errors do not change
            <ErrorView key={index} error={error} />
          ))}
        </div>
      )}
      {(test.status !== 'skipped' || test.steps.length > 0) && <StepsView test={test} />}
    </>
  )
}
