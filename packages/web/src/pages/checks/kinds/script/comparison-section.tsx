import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { DifferentStep, LinkedAsset, RunComparison, StepDifference } from '@vedette/schema'
import type { ReactNode } from 'react'
import { comparisonQuery } from '../../../../api/comparison.ts'
import { locationName } from '../../../../api/location-name.ts'
import { Instant } from '../../../../components/instant.tsx'
import { Loaded } from '../../../../components/loaded.tsx'
import { formatMs } from '../../../../components/number.ts'
import { Section } from '../../../../components/section.tsx'
import { Picture } from './files-section.tsx'
import { ConsoleLines, RequestLines } from './page-trouble.tsx'
import { scoreWords, vitalWords } from './vital-words.ts'

/** What a failed run did otherwise than the last good one. */
export function ComparisonSection({ checkId, resultId }: { checkId: string; resultId: string }) {
  const comparison = useQuery(comparisonQuery(checkId, resultId))
  // Nothing to compare it with is nothing to read.
  if (comparison.data === null) return null
  return (
    <Section
      title="Beside the last good run"
      aside={comparison.data && <OtherRun checkId={checkId} other={comparison.data.with} />}
    >
      <Loaded query={comparison} lines={1}>
        {(comparison) => comparison && <Differences comparison={comparison} />}
      </Loaded>
    </Section>
  )
}

function OtherRun({ checkId, other }: { checkId: string; other: RunComparison['with'] }) {
  return (
    <>
      <Link to="/checks/$checkId/results/$resultId" params={{ checkId, resultId: other.id }} className="link">
        The good run
      </Link>
      <Instant at={other.startedAt} />
      <span>{locationName(other.runLocation)}</span>
      <span>{formatMs(other.duration)}</span>
    </>
  )
}

function Differences({ comparison }: { comparison: RunComparison }) {
  const { firstStep, tests, consoleErrors, failedRequests, pages, screenshots } = comparison
  const pairs = screenshots.filter(({ result, with: before }) => result !== null || before !== null)
  const differs = [firstStep ?? [], tests, consoleErrors, failedRequests, pages].some(
    (one) => !Array.isArray(one) || one.length > 0,
  )
  return (
    <div className="space-y-6">
      {!differs && <p className="text-[0.875rem] text-soft">Nothing that is kept of the two runs tells them apart.</p>}
      {firstStep && (
        <Part title="The first step that went otherwise">
          <FirstStep step={firstStep} />
        </Part>
      )}
      {tests.length > 0 && (
        <Part title="Tests that ended otherwise">
          <ul className="space-y-1 text-[0.875rem]">
            {tests.map(({ title, project, file, result, with: before }) => (
              <li key={JSON.stringify([title, project, file])} className="break-words">
                <span className="font-semibold">{title.join(' › ')}</span>: {before ?? 'not there'} before,{' '}
                {result ?? 'not there'} now
              </li>
            ))}
          </ul>
        </Part>
      )}
      {consoleErrors.length > 0 && (
        <Part title="New errors in the console">
          <ConsoleLines messages={consoleErrors} />
        </Part>
      )}
      {failedRequests.length > 0 && (
        <Part title="Requests that did not fail before">
          <RequestLines requests={failedRequests} />
        </Part>
      )}
      {pages.length > 0 && (
        <Part title="Pages that load worse">
          <ul className="space-y-1.5 text-[0.875rem]">
            {pages.map(({ url, pageIndex, webVitals }) => (
              <li key={pageIndex}>
                <span className="font-mono text-[0.8125rem] break-all">{url}</span>
                <ul className="text-soft">
                  {webVitals.map(({ name, result, with: before }) => (
                    <li key={name}>
                      {vitalWords(name, before.value)} before ({scoreWords(before.score)}),{' '}
                      <span className="font-semibold text-ink">
                        {vitalWords(name, result.value)} now ({scoreWords(result.score)})
                      </span>
                      : {name}
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {pairs.length > 0 && (
        <Part title="Screenshots side by side">
          <ul className="space-y-4">
            {pairs.map(({ test, result, with: before }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they do not change
              <li key={index} className="grid gap-4 sm:grid-cols-2">
                <Side which="Good run" picture={before} test={test} />
                <Side which="This run" picture={result} test={test} />
              </li>
            ))}
          </ul>
        </Part>
      )}
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-2 text-[0.875rem] font-semibold">{title}</h3>
      {children}
    </div>
  )
}

const differences: Record<StepDifference, (step: DifferentStep) => string> = {
  MISSING: () => 'The good run came to this step, and this run did not.',
  ADDED: () => 'This run came to this step, and the good run did not.',
  FAILED: ({ with: before }) => `It failed. In the good run it came to its end${tookWords(before)}.`,
  RECOVERED: () => 'It came to its end. In the good run it did not.',
  SLOWER: ({ result, with: before }) =>
    `It was slower: ${durationWords(result)} now, ${durationWords(before)} in the good run.`,
}

type OneSide = DifferentStep['result']
const durationWords = (step: OneSide) =>
  step === null || step.duration === null ? 'without an end' : formatMs(step.duration)
const tookWords = (step: OneSide) =>
  step === null || step.duration === null ? '' : `, after ${formatMs(step.duration)}`

function FirstStep({ step }: { step: DifferentStep }) {
  const { test, path, difference } = step
  return (
    <div className="rounded-lg border-l-3 border-accent bg-accent-soft px-3.5 py-2.5 text-[0.875rem]">
      <p className="text-[0.8125rem] break-words text-soft">{[...test.title, ...path.slice(0, -1)].join(' › ')}</p>
      <p className="font-semibold break-words">{path.at(-1)}</p>
      <p>{differences[difference](step)}</p>
    </div>
  )
}

function Side({ which, picture, test }: { which: string; picture: LinkedAsset | null; test: string | null }) {
  return (
    <div className="min-w-0">
      <p className="mb-1 text-[0.8125rem] font-semibold text-soft">{which}</p>
      {picture === null ? (
        <p className="grid place-items-center rounded-lg border border-dashed border-strong py-3 text-[0.875rem] text-soft sm:aspect-video">
          None is kept of it here.
        </p>
      ) : (
        <Picture picture={picture} caption={`${which}: ${picture.name}${test === null ? '' : `, of ${test}`}`} />
      )}
    </div>
  )
}
