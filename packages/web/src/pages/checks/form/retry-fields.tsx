import { RETRY_TYPES, type RetryStrategy } from '@vedette/schema'
import { CheckboxField, SelectField, TextField } from '../../../components/field.tsx'
import type { PartProps } from '../kinds/kind-view.ts'
import { DEFAULT_RETRY, type SharedDraft } from './shared-draft.ts'

const NEVER = 'NEVER'
const words: Record<RetryStrategy['type'], string> = {
  SINGLE_RETRY: 'once',
  FIXED: 'several times, evenly spaced',
  LINEAR: 'several times, waiting longer each time',
  EXPONENTIAL: 'several times, doubling the wait',
}
const options = [
  { value: NEVER, label: 'not at all' },
  ...(['SINGLE_RETRY', 'FIXED', 'LINEAR', 'EXPONENTIAL'] as const).map((value) => ({ value, label: words[value] })),
]

/** Whether a failed attempt is tried again before the run counts as failed. */
export function RetryFields({ draft, set, errorOf }: PartProps<SharedDraft>) {
  const { retry } = draft
  const choose = (value: string) => {
    const type = RETRY_TYPES.find((one) => one === value)
    set({ retry: type ? { ...DEFAULT_RETRY, ...retry, type } : null })
  }
  const change = (changes: Partial<RetryStrategy>) => retry && set({ retry: { ...retry, ...changes } })
  return (
    <div className="space-y-4">
      <SelectField
        label="A failed attempt is tried again"
        value={retry?.type ?? NEVER}
        options={options}
        error={errorOf('retryStrategy')}
        onChange={choose}
      />
      {retry && (
        <div className="grid gap-4 sm:grid-cols-3">
          <TextField
            label="Wait (seconds)"
            type="number"
            min={0}
            max={3600}
            value={String(retry.baseBackoffSeconds ?? 60)}
            onChange={(text) => change({ baseBackoffSeconds: Number(text) })}
          />
          {retry.type !== 'SINGLE_RETRY' && (
            <>
              <TextField
                label="At most (times)"
                type="number"
                min={1}
                max={10}
                value={String(retry.maxRetries ?? 2)}
                onChange={(text) => change({ maxRetries: Number(text) })}
              />
              <TextField
                label="Within (seconds)"
                type="number"
                min={0}
                max={600}
                value={String(retry.maxDurationSeconds ?? 600)}
                onChange={(text) => change({ maxDurationSeconds: Number(text) })}
              />
            </>
          )}
          <div className="space-y-3 sm:col-span-3">
            <CheckboxField
              label="Try again in the same location"
              checked={retry.sameRegion ?? true}
              onChange={(sameRegion) => change({ sameRegion })}
            />
            <CheckboxField
              label="Only when no answer came at all"
              checked={retry.onlyOn !== undefined}
              onChange={(only) => change({ onlyOn: only ? ['NETWORK_ERROR'] : undefined })}
            />
          </div>
        </div>
      )}
    </div>
  )
}
