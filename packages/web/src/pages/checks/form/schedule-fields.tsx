import { CheckboxField, type Option, SelectField, TextArea, TextField } from '../../../components/field.tsx'
import { groupHint } from '../groups/group-says.tsx'
import type { Overrides } from '../groups/overrides.ts'
import type { PartProps } from '../kinds/kind-view.ts'
import { RetryFields } from './retry-fields.tsx'
import type { SharedDraft } from './shared-draft.ts'

interface ScheduleFieldsProps extends PartProps<SharedDraft> {
  overrides: Overrides
  frequencies: readonly Option<string>[]
  /** False for what nobody runs. */
  runs: boolean
  /** Whether it is tried again. */
  retries: boolean
}

export function ScheduleFields(props: ScheduleFieldsProps) {
  const { draft, set, errorOf, overrides, runs, retries, frequencies } = props
  return (
    <fieldset className="space-y-4">
      <legend className="mb-3 text-[0.9375rem] font-semibold">{runs ? 'When' : 'About it'}</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        {runs && (
          <SelectField
            label="Runs"
            value={draft.frequency}
            options={frequencies}
            error={errorOf('frequency') ?? errorOf('frequencyOffset')}
            onChange={(frequency) => set({ frequency })}
          />
        )}
        <TextField
          label="Tags"
          hint={groupHint(overrides.tags, 'Separated by commas.')}
          value={draft.tags}
          error={errorOf('tags')}
          onChange={(tags) => set({ tags })}
        />
      </div>
      {retries && <RetryFields {...props} />}
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
        hint={groupHint(
          overrides.activated,
          runs
            ? 'A check that is not active keeps its results and does not run.'
            : 'Pings of a check that is not active are not counted.',
        )}
        checked={draft.activated}
        onChange={(activated) => set({ activated })}
      />
    </fieldset>
  )
}
