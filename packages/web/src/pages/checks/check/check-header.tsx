import { Link } from '@tanstack/react-router'
import type { Check, CheckOverview } from '@vedette/schema'
import { Icon } from '../../../components/icon.tsx'
import { Ago } from '../../../components/instant.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { frequencyWords } from '../frequency.ts'
import { RunBars } from '../run-bars.tsx'
import { Episode, MutedPill, OurTroublePill, StatePill } from '../verdict.tsx'
import { CheckActions } from './check-actions.tsx'

export function CheckHeader({ overview, check }: { overview: CheckOverview; check: Check | undefined }) {
  const { id, name, target, state, since, activated, hasErrors, muted, nextRunAt, lastRunAt } = overview
  return (
    <>
      <Link to="/" className="link mb-2 inline-flex items-center gap-1 text-[0.875rem]">
        <Icon name="back" size={14} /> Checks
      </Link>
      <PageHeader title={name} actions={<CheckActions overview={overview} />}>
        <p className="font-mono text-[0.8125rem] break-all">{target}</p>
        {check?.description && <p className="mt-1">{check.description}</p>}
      </PageHeader>
      <section
        aria-label="Present state"
        className="card mb-5 flex flex-wrap items-center justify-between gap-x-8 gap-y-4 px-4 py-4 sm:px-5"
      >
        <div className="flex flex-wrap items-center gap-2" aria-live="polite">
          <StatePill state={state} activated={activated} />
          {hasErrors && <OurTroublePill />}
          {muted && <MutedPill />}
          {since && activated && (
            <span className="text-[0.875rem] text-soft" aria-live="off">
              <Episode state={state} since={since} />
            </span>
          )}
        </div>
        <dl className="flex flex-wrap gap-x-8 gap-y-2 text-[0.875rem]">
          <div>
            <dt className="text-[0.8125rem] text-faint">Runs</dt>
            <dd>{frequencyWords(overview.frequency, overview.frequencyOffset)}</dd>
          </div>
          <div>
            <dt className="text-[0.8125rem] text-faint">Last run</dt>
            <dd>{lastRunAt ? <Ago at={lastRunAt} /> : 'none yet'}</dd>
          </div>
          <div>
            <dt className="text-[0.8125rem] text-faint">Next run</dt>
            <dd>
              {!activated || !nextRunAt ? 'none' : Date.parse(nextRunAt) <= Date.now() ? 'now' : <Ago at={nextRunAt} />}
            </dd>
          </div>
        </dl>
        <div className="w-full sm:w-60">
          <RunBars checkId={id} runs={overview.runs} />
        </div>
      </section>
    </>
  )
}
