import { useQuery } from '@tanstack/react-query'
import { timelineQuery } from '../../../api/timeline.ts'
import { Notice } from '../../../components/notice.tsx'
import { MissedNote } from './missed-note.tsx'

const REFRESH_MS = 5000

/** Instead of a course, while there is none: the run is under way, or nobody is there to run it. */
export function FirstRun({ checkId, activated }: { checkId: string; activated: boolean }) {
  const { data: timeline } = useQuery({ ...timelineQuery(checkId, 24), refetchInterval: REFRESH_MS })
  const missed = timeline?.missed ?? []
  if (missed.length > 0) {
    return (
      <Notice tone="warn">
        <p className="font-semibold">This check has not run yet.</p>
        <MissedNote missed={missed} />
      </Notice>
    )
  }
  return (
    <div role="status" className="card mb-5 flex items-center justify-center gap-3 px-5 py-12 text-soft">
      {activated && <span aria-hidden="true" className="size-2.5 animate-ping rounded-full bg-lantern" />}
      {activated ? 'The first run is under way…' : 'This check is paused and has not run yet.'}
    </div>
  )
}
