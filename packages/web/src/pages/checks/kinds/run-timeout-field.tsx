/** How long a run of a script may take. */
import { LEAST_SCRIPT_SECONDS } from '@vedette/schema'
import { TextField } from '../../../components/field.tsx'
import type { PartProps } from './kind-view.ts'

/** @param most seconds */
export function RunTimeoutField({ draft, set, errorOf, most }: PartProps<{ timeout: string }> & { most: number }) {
  return (
    <TextField
      label="End a run after (s)"
      hint="It fails then, and what it did until then is kept."
      type="number"
      min={LEAST_SCRIPT_SECONDS}
      max={most}
      value={draft.timeout}
      error={errorOf('timeout')}
      onChange={(timeout) => set({ timeout })}
    />
  )
}
