import { Link } from '@tanstack/react-router'
import type { CheckOverview } from '@vedette/schema'
import type { ReactNode } from 'react'
import { Ago } from '../../../components/instant.tsx'
import { toneText } from '../../../components/notice.tsx'
import { CannotRunPill } from '../cannot-run.tsx'
import { frequencyWords } from '../frequency.ts'
import { kindWords, whyNotRun } from '../kinds/kind-words.ts'
import { RunBars } from '../run-bars.tsx'
import { AcknowledgedPill, Episode, listedStates, MutedPill, OurTroublePill, StatePill } from '../verdict.tsx'

/** Further ones are on the check's page. */
const MOST_TAGS = 3
const TAG = 'block max-w-32 truncate rounded bg-sunken px-1.5 py-0.25 text-xs text-soft'

interface CheckRowProps {
  check: CheckOverview
  /** Without it, tags are only shown. */
  onTag?: (tag: string) => void
  /** What can be done with the check, where it is shown. */
  action?: ReactNode
}

export function CheckRow({ check, onTag, action }: CheckRowProps) {
  const notRun = whyNotRun(check.checkType)
  const noRuns = notRun ?? check.cannotRun
  const { tone } = listedStates[check.activated ? check.state : 'paused']
  return (
    <li className="relative grid grid-cols-1 gap-x-6 gap-y-2 py-3 pr-4 pl-5 hover:bg-sunken/40 sm:grid-cols-[minmax(0,1fr)_15rem] lg:grid-cols-[9.75rem_minmax(0,1fr)_15rem_10.25rem] lg:items-center">
      <span aria-hidden="true" className={`absolute inset-y-2.5 left-0 w-1 rounded-r bg-current ${toneText[tone]}`} />
      <div className="flex items-center gap-1.5 lg:block lg:space-y-0.5">
        <StatePill state={check.state} activated={check.activated} />
        {check.since && check.activated && (
          <p className="truncate pl-1 text-xs text-faint">
            <Episode state={check.state} since={check.since} />
          </p>
        )}
      </div>
      <div className="min-w-0 sm:row-start-2 lg:row-auto">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 lg:flex-nowrap">
          <h2 className="max-w-full min-w-0 truncate text-[0.9375rem] font-semibold">
            <Link to="/checks/$checkId" params={{ checkId: check.id }} className="hover:underline" title={check.name}>
              {check.name}
            </Link>
          </h2>
          <CannotRunPill check={check} />
          {check.hasErrors && <OurTroublePill />}
          {check.muted && <MutedPill />}
          {check.acknowledgement && <AcknowledgedPill acknowledgement={check.acknowledgement} />}
          {check.tags.length > 0 && (
            <ul aria-label="Tags" className="hidden shrink-0 gap-1 sm:flex">
              {check.tags.slice(0, MOST_TAGS).map((tag) => (
                <li key={tag}>
                  {onTag ? (
                    <button
                      type="button"
                      onClick={() => onTag(tag)}
                      title={`Show checks tagged ${tag}`}
                      className={`${TAG} hover:text-ink hover:underline`}
                    >
                      {tag}
                    </button>
                  ) : (
                    <span className={TAG}>{tag}</span>
                  )}
                </li>
              ))}
              {check.tags.length > MOST_TAGS && (
                <li className="text-xs text-faint" title={check.tags.slice(MOST_TAGS).join(', ')}>
                  +{check.tags.length - MOST_TAGS}
                </li>
              )}
            </ul>
          )}
        </div>
        <p className="truncate font-mono text-[0.8125rem] text-faint" title={check.target}>
          <span className="font-sans">{kindWords[check.checkType].label}</span> {check.target}
        </p>
      </div>
      <div className="min-w-0 sm:col-start-2 sm:row-span-2 sm:row-start-1 sm:self-center lg:col-auto lg:row-auto">
        {noRuns === null || check.runs.length > 0 ? (
          <RunBars checkId={check.id} runs={check.runs} />
        ) : (
          <p className="text-[0.8125rem] text-faint">{noRuns}</p>
        )}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-0.5 sm:col-span-2 lg:col-auto lg:block lg:text-right">
        {notRun === null && <Times check={check} />}
        {check.checkType === 'HEARTBEAT' && <PingTimes check={check} />}
        {action}
      </div>
    </li>
  )
}

function Times({ check }: { check: CheckOverview }) {
  return (
    <dl className="flex flex-wrap gap-x-3 gap-y-0.5 text-[0.8125rem] text-faint lg:block">
      <div>
        <dt className="sr-only">Last run</dt>
        <dd className="text-ink">{check.lastRunAt ? <Ago at={check.lastRunAt} /> : 'no run yet'}</dd>
      </div>
      <div>
        <dt className="sr-only">Frequency and next run</dt>
        <dd>
          {frequencyWords(check.frequency, check.frequencyOffset)}
          {check.activated && check.nextRunAt && (
            <>
              , next <NextRun at={check.nextRunAt} />
            </>
          )}
        </dd>
      </div>
    </dl>
  )
}

function PingTimes({ check }: { check: CheckOverview }) {
  return (
    <dl className="text-[0.8125rem] text-faint">
      <dt className="sr-only">Last ping</dt>
      <dd className="text-ink">{check.lastRunAt ? <Ago at={check.lastRunAt} /> : 'no ping yet'}</dd>
    </dl>
  )
}

/** A due time that has just passed is not “ago”: the run is under way. */
function NextRun({ at }: { at: string }) {
  return Date.parse(at) <= Date.now() ? <>now</> : <Ago at={at} />
}
