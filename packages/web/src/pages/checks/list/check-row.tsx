import { Link } from '@tanstack/react-router'
import type { CheckOverview } from '@vedette/schema'
import { Ago, Lasting } from '../../../components/instant.tsx'
import { type Tone, toneText } from '../../../components/notice.tsx'
import { frequencyWords } from '../frequency.ts'
import { RunBars } from '../run-bars.tsx'
import { MutedPill, OurTroublePill, StatePill, states } from '../verdict.tsx'

export function CheckRow({ check, onTag }: { check: CheckOverview; onTag: (tag: string) => void }) {
  const tone: Tone = check.activated ? states[check.state].tone : 'idle'
  return (
    <li className="relative grid grid-cols-1 gap-x-6 gap-y-2.5 py-3.5 pr-4 pl-5 sm:grid-cols-[minmax(0,1fr)_auto] lg:grid-cols-[8.5rem_minmax(0,1fr)_15rem_10.5rem] lg:items-center">
      <span aria-hidden="true" className={`absolute inset-y-3 left-0 w-1 rounded-r bg-current ${toneText[tone]}`} />
      <div className="flex flex-wrap items-center gap-1.5 lg:block lg:space-y-1">
        <div className="flex flex-wrap gap-1.5">
          <StatePill state={check.state} activated={check.activated} />
          {check.hasErrors && <OurTroublePill />}
          {check.muted && <MutedPill />}
        </div>
        {check.since && check.activated && (
          <p className="pl-1 text-xs text-faint">
            for <Lasting since={check.since} />
          </p>
        )}
      </div>
      <div className="min-w-0 sm:row-start-2 lg:row-auto">
        <h2 className="truncate text-[0.9375rem] font-semibold">
          <Link to="/checks/$checkId" params={{ checkId: check.id }} className="hover:underline" title={check.name}>
            {check.name}
          </Link>
        </h2>
        <p className="truncate font-mono text-[0.8125rem] text-faint" title={check.target}>
          {check.target}
        </p>
        {check.tags.length > 0 && (
          <ul aria-label="Tags" className="mt-1 flex flex-wrap gap-1">
            {check.tags.map((tag) => (
              <li key={tag}>
                <button
                  type="button"
                  onClick={() => onTag(tag)}
                  title={`Show checks tagged ${tag}`}
                  className="rounded bg-sunken px-1.5 py-0.25 text-xs text-soft hover:text-ink hover:underline"
                >
                  {tag}
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className="min-w-0 sm:col-start-2 sm:row-span-2 sm:row-start-1 sm:w-[15rem] sm:self-center lg:col-auto lg:row-auto">
        <RunBars checkId={check.id} runs={check.runs} />
      </div>
      <dl className="flex flex-wrap gap-x-3 gap-y-0.5 text-[0.8125rem] text-faint sm:col-span-2 lg:col-auto lg:block lg:text-right">
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
    </li>
  )
}

/** A due time that has just passed is not “ago”: the run is under way. */
function NextRun({ at }: { at: string }) {
  return Date.parse(at) <= Date.now() ? <>now</> : <Ago at={at} />
}
