import type { CheckOverview } from '@vedette/schema'
import { Notice, Pill } from '../../components/notice.tsx'

/** Beside the state, which is that of the target. */
export function CannotRunPill({ check }: { check: CheckOverview }) {
  const why = check.cannotRun
  return (
    why !== null && (
      <Pill tone="ours" icon="wrench" title={why}>
        No runner can execute this
      </Pill>
    )
  )
}

export function CannotRunNotice({ check }: { check: CheckOverview }) {
  const why = check.cannotRun
  return (
    why !== null && (
      <Notice tone="ours">
        <p className="font-semibold">{why}</p>
        <p>Its slots are counted as missed until that changes. That says nothing about the target.</p>
      </Notice>
    )
  )
}
