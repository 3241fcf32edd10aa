import type { CheckGroup } from '@vedette/schema'
import { SelectField } from '../../../components/field.tsx'
import type { PartProps } from '../kinds/kind-view.ts'
import type { SharedDraft } from './shared-draft.ts'

interface GroupFieldProps extends PartProps<Pick<SharedDraft, 'groupId'>> {
  groups: readonly CheckGroup[]
}

export function GroupField({ draft, set, errorOf, groups }: GroupFieldProps) {
  return (
    <SelectField
      label="Group"
      hint="Its settings go before those of the check; where they do, it is said beside the field."
      value={draft.groupId === null ? '' : String(draft.groupId)}
      options={[
        { value: '', label: 'No group' },
        ...groups.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      error={errorOf('groupId')}
      onChange={(value) => set({ groupId: value === '' ? null : Number(value) })}
    />
  )
}
