import { Link } from '@tanstack/react-router'
import type { Check, CheckOverview } from '@vedette/schema'
import { Icon } from '../../../components/icon.tsx'
import { Ago } from '../../../components/instant.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { CannotRunNotice } from '../cannot-run.tsx'
import { frequencyWords } from '../frequency.ts'
import { groupOf } from '../groups/group-of.ts'
import { kindWords, whyNotRun } from '../kinds/kind-words.ts'
import { RunBars } from '../run-bars.tsx'
import { Episode, MutedPill, OurTroublePill, StatePill } from '../verdict.tsx'
import { AcknowledgementLine } from './acknowledgement.tsx'
import { CheckActions } from './check-actions.tsx'

export function CheckHeader({ overview, check }: { overview: CheckOverview; check: Check | undefined }) {
  const { id, name, checkType, target, state, since, activated, hasErrors, muted, nextRunAt, lastRunAt } = overview
  const notRun = whyNotRun(checkType)
  const silentByGroup = check !== undefined && muted && !check.muted
  const pausedByGroup = check !== undefined && !activated && check.activated
  return (
    <>
      <Link to="/" className="link mb-2 inline-flex items-center gap-1 text-[0.875rem]">
        <Icon name="back" size={14} /> Checks
      </Link>
      <PageHeader title={name} actions={<CheckActions overview={overview} check={check} />}>
        <p className="text-[0.8125rem] break-all">
          {kindWords[checkType].label} <span className="ml-1 font-mono">{target}</span>
        </p>
        {check?.description && <p className="mt-1">{check.description}</p>}
      </PageHeader>
      <CannotRunNotice check={overview} />
      <section
        aria-label="Present state"
        className="card mb-5 flex flex-wrap items-center justify-between gap-x-8 gap-y-4 px-4 py-4 sm:px-5"
      >
        <div className="flex flex-wrap items-center gap-2" aria-live="polite">
          <StatePill state={state} activated={activated} />
          {since && activated && (
            <span className="text-[0.875rem] text-soft" aria-live="off">
              <Episode state={state} since={since} />
            </span>
          )}
          {hasErrors && <OurTroublePill />}
          {muted && <MutedPill />}
          {(pausedByGroup || silentByGroup) && check && <ByGroup check={check} />}
        </div>
        {notRun === null ? (
          <>
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
                  {!activated || !nextRunAt ? (
                    'none'
                  ) : Date.parse(nextRunAt) <= Date.now() ? (
                    'now'
                  ) : (
                    <Ago at={nextRunAt} />
                  )}
                </dd>
              </div>
            </dl>
            <div className="w-full sm:w-60">
              <RunBars checkId={id} runs={overview.runs} />
            </div>
          </>
        ) : (
          <p className="text-[0.875rem] text-soft">{notRun}</p>
        )}
        <AcknowledgementLine overview={overview} />
      </section>
    </>
  )
}

/** Where a switch is that the check's own buttons do not move. */
function ByGroup({ check }: { check: Check }) {
  const groupId = groupOf(check)
  if (groupId === null) return null
  return (
    <span className="text-[0.875rem] text-soft">
      by its{' '}
      <Link to="/groups/$groupId" params={{ groupId: String(groupId) }} className="link">
        group
      </Link>
    </span>
  )
}
