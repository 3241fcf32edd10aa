import type { CheckGroup } from '@vedette/schema'
import { Pill } from '../../../components/notice.tsx'
import { MutedPill } from '../verdict.tsx'

/** Its switches, where they are not as usual. */
export function GroupPills({ group: { activated, muted } }: { group: CheckGroup }) {
  return (
    <>
      {!activated && (
        <Pill tone="idle" icon="pause" title="None of its checks runs.">
          Paused
        </Pill>
      )}
      {muted && <MutedPill />}
    </>
  )
}
