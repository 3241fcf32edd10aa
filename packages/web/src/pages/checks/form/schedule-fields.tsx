import { CheckboxField, SelectField, TextArea, TextField } from '../../../components/field.tsx'
import { frequencyOptions } from '../frequency.ts'
import { groupHint } from '../groups/group-says.tsx'
import type { Overrides } from '../groups/overrides.ts'
import type { PartProps } from '../kinds/kind-view.ts'
import { RetryFields } from './retry-fields.tsx'
import type { SharedDraft } from './shared-draft.ts'

export function ScheduleFields(props: PartProps<SharedDraft> & { overrides: Overrides }) {
  const { draft, set, errorOf, overrides } = props
  return (
    <fieldset className="space-y-4">
      <legend className="mb-3 text-[0.9375rem] font-semibold">When</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Runs"
          value={draft.frequency}
          options={frequencyOptions}
          error={errorOf('frequency') ?? errorOf('frequencyOffset')}
          onChange={(frequency) => set({ frequency })}
        />
        <TextField
          label="Tags"
          hint={groupHint(overrides.tags, 'Separated by commas.')}
          value={draft.tags}
          error={errorOf('tags')}
          onChange={(tags) => set({ tags })}
        />
      </div>
      <RetryFields {...props} />
      <TextArea
        label="Description"
        rows={2}
        maxLength={500}
        value={draft.description}
        error={errorOf('description')}
        onChange={(description) => set({ description })}
      />
      <CheckboxField
        label="Active"
        hint={groupHint(overrides.activated, 'A check that is not active keeps its results and does not run.')}
        checked={draft.activated}
        onChange={(activated) => set({ activated })}
      />
    </fieldset>
  )
}
