import type { RetryStrategy } from '@vedette/schema'
import { CheckboxField, SelectField, TextField } from '../../../components/field.tsx'
import { groupHint } from '../groups/group-says.tsx'
import type { Overrides } from '../groups/overrides.ts'
import type { PartProps } from '../kinds/kind-view.ts'
import { AT_ONCE, RETRY_CHOICES, type RetryChoice, retryChoice, retryWords } from '../retry.ts'
import type { SharedDraft } from './shared-draft.ts'

export const retryOptions = RETRY_CHOICES.map((value) => ({ value, label: retryWords[value] }))
const START: Omit<RetryStrategy, 'type'> = { baseBackoffSeconds: 5, maxRetries: 2, sameRegion: true }

/** Whether a failed attempt is tried again before the run counts as failed. */
export function RetryFields({ draft, set, errorOf, overrides }: PartProps<SharedDraft> & { overrides: Overrides }) {
  const choice = retryChoice(draft.retry)
  return (
    <div className="space-y-4">
      <SelectField
        label="A failed attempt is tried again"
        value={choice}
        hint={groupHint(overrides.retry)}
        options={retryOptions}
        error={errorOf('retryStrategy')}
        onChange={(chosen) => set({ retry: strategyFor(chosen) })}
      />
      {draft.retry && choice !== 'AT_ONCE' && (
        <StrategyFields strategy={draft.retry} onChange={(retry) => set({ retry })} />
      )}
    </div>
  )
}

export function strategyFor(choice: RetryChoice): RetryStrategy | null {
  if (choice === 'NEVER') return null
  return choice === 'AT_ONCE' ? AT_ONCE : { ...START, type: choice }
}

interface StrategyFieldsProps {
  strategy: RetryStrategy
  onChange: (strategy: RetryStrategy) => void
}

/** How often, how fast and where. */
export function StrategyFields({ strategy, onChange }: StrategyFieldsProps) {
  const change = (changes: Partial<RetryStrategy>) => onChange({ ...strategy, ...changes })
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <TextField
        label="Wait (seconds)"
        type="number"
        min={0}
        max={3600}
        value={String(strategy.baseBackoffSeconds ?? 60)}
        onChange={(text) => change({ baseBackoffSeconds: Number(text) })}
      />
      {strategy.type !== 'SINGLE_RETRY' && (
        <>
          <TextField
            label="At most (times)"
            type="number"
            min={1}
            max={10}
            value={String(strategy.maxRetries ?? 2)}
            onChange={(text) => change({ maxRetries: Number(text) })}
          />
          <TextField
            label="Within (seconds)"
            type="number"
            min={0}
            max={600}
            value={String(strategy.maxDurationSeconds ?? 600)}
            onChange={(text) => change({ maxDurationSeconds: Number(text) })}
          />
        </>
      )}
      <div className="space-y-3 sm:col-span-3">
        <CheckboxField
          label="Try again in the same location"
          checked={strategy.sameRegion ?? true}
          onChange={(sameRegion) => change({ sameRegion })}
        />
        <CheckboxField
          label="Only when no answer came at all"
          checked={strategy.onlyOn !== undefined}
          onChange={(only) => change({ onlyOn: only ? ['NETWORK_ERROR'] : undefined })}
        />
      </div>
    </div>
  )
}
