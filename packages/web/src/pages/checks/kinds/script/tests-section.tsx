import type { ScriptTest } from '@vedette/schema'
import { Disclosure } from '../../../../components/disclosure.tsx'
import type { IconName } from '../../../../components/icon.tsx'
import { Pill, type Tone } from '../../../../components/notice.tsx'
import { formatMs } from '../../../../components/number.ts'
import { Section } from '../../../../components/section.tsx'
import { ErrorView, placeWords } from './error-view.tsx'
import { scriptInBrief } from './in-brief.ts'
import { errorsBesideSteps, isUnwanted, type TestTries, triesOf } from './step-tree.ts'
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

/** Each test with what it did. Of one that was tried again, the last try counts and stands open. */
export function TestsSection({ tests }: { tests: readonly ScriptTest[] }) {
  const all = triesOf(tests)
  return (
    <Section title="Tests" aside={scriptInBrief({ tests: [...tests] })}>
      {all.length === 0 && <p className="text-[0.875rem] text-soft">No test came to run.</p>}
      <div className="space-y-7">
        {all.map((one) => (
          <Test key={one.key} test={one} />
        ))}
      </div>
    </Section>
  )
}

function Test({ test: { tries, last } }: { test: TestTries }) {
  return (
    <article>
      <div className="mb-2 flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5">
        <div className="min-w-0">
          <h3 className="text-[0.9375rem] font-semibold break-words">{last.title.join(' › ')}</h3>
          <p className="text-[0.8125rem] break-all text-faint">
            <span className="font-mono">{placeWords(last.location)}</span>
            {last.project !== '' && `, ${last.project}`}
          </p>
        </div>
        <p className="flex items-center gap-3 text-[0.875rem] text-soft">
          <span>{formatMs(last.duration)}</span>
          <StatusPill test={last} />
        </p>
      </div>
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
    </article>
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
