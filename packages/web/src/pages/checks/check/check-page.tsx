import { useQuery } from '@tanstack/react-query'
import type { CheckOverview } from '@vedette/schema'
import { checkQuery } from '../../../api/check.ts'
import { usePollingMs } from '../../../api/live-stream.ts'
import { overviewQuery } from '../../../api/overview.ts'
import { kinds } from '../kinds/index.ts'
import { runnableKind, whyNotRun } from '../kinds/kind-words.ts'
import { LoadedOrGone } from '../loaded-or-gone.tsx'
import { AlertDecisionsSection } from './alert-decisions-section.tsx'
import { AlertReplaySection } from './alert-replay-section.tsx'
import { CheckHeader } from './check-header.tsx'
import { ErrorGroupsSection } from './error-groups-section.tsx'
import { FirstRun } from './first-run.tsx'
import { HeartbeatSections } from './heartbeat-sections.tsx'
import { ResultsSection } from './results-section.tsx'
import { SettingsSection } from './settings-section.tsx'
import { TimelineSection } from './timeline-section.tsx'

const FIRST_RESULT_POLL_MS = 1500

export default function CheckPage({ checkId }: { checkId: string }) {
  const pollingMs = usePollingMs()
  const overview = useQuery({
    ...overviewQuery(checkId),
    // Whoever has just added a check waits for its first result.
    refetchInterval: ({ state }) => (state.data?.activated && awaitsRun(state.data) ? FIRST_RESULT_POLL_MS : pollingMs),
  })
  const check = useQuery(checkQuery(checkId))
  return (
    <LoadedOrGone query={overview} noun="check">
      {(overview) => (
        <>
          <CheckHeader overview={overview} check={check.data} />
          {check.data?.checkType === 'HEARTBEAT' && <HeartbeatSections check={check.data} />}
          {awaitsRun(overview) && <FirstRun checkId={checkId} activated={overview.activated} />}
          {overview.runs.length > 0 && (
            <>
              <TimelineSection checkId={checkId} firstRunAt={overview.runs[0]?.startedAt} />
              <KindCourse overview={overview} />
              <ErrorGroupsSection checkId={checkId} />
              <ResultsSection checkId={checkId} />
            </>
          )}
          {check.data && <AlertDecisionsSection checkId={checkId} hasResults={check.data.checkType !== 'HEARTBEAT'} />}
          {(overview.runs.length > 0 || check.data?.checkType === 'HEARTBEAT') && (
            <AlertReplaySection checkId={checkId} />
          )}
          {check.data && <SettingsSection check={check.data} />}
        </>
      )}
    </LoadedOrGone>
  )
}

function KindCourse({ overview: { id, checkType, runs } }: { overview: CheckOverview }) {
  const kind = runnableKind(checkType)
  const Course = kind && kinds[kind].Course
  return Course && <Course checkId={id} firstRunAt={runs[0]?.startedAt} />
}

const awaitsRun = ({ checkType, runs }: CheckOverview): boolean => runs.length === 0 && whyNotRun(checkType) === null
