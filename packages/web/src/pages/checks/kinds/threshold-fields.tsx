import { TextField } from '../../../components/field.tsx'
import type { PartProps } from './kind-view.ts'
import type { Thresholds } from './thresholds.ts'

export function ThresholdFields({
  draft,
  set,
  errorOf,
  highest,
}: PartProps<Thresholds> & {
  /** What the kind allows at most. */
  highest: number
}) {
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="mb-3 text-[0.9375rem] font-semibold">What counts as slow</legend>
      <TextField
        label="Degraded above (ms)"
        hint="Empty switches it off."
        type="number"
        min={0}
        max={highest}
        value={draft.degradedResponseTime}
        error={errorOf('degradedResponseTime')}
        onChange={(degradedResponseTime) => set({ degradedResponseTime })}
      />
      <TextField
        label="Failed above (ms)"
        hint={`Empty switches it off; a run ends after ${highest / 1000} s at the latest.`}
        type="number"
        min={0}
        max={highest}
        value={draft.maxResponseTime}
        error={errorOf('maxResponseTime')}
        onChange={(maxResponseTime) => set({ maxResponseTime })}
      />
    </fieldset>
  )
}
