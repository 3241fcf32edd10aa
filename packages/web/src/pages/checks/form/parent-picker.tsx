import { useQuery } from '@tanstack/react-query'
import { MOST_PARENTS } from '@vedette/schema'
import { checkNamesQuery } from '../../../api/check-names.ts'
import { IconButton } from '../../../components/button.tsx'
import { SelectField } from '../../../components/field.tsx'

interface ParentPickerProps {
  /** The check that depends on them; null: a new one. */
  checkId: string | null
  chosen: readonly string[]
  error: string | undefined
  onChange: (chosen: string[]) => void
}

/** Checks that this one cannot do without, chosen one after the other: there may be too many for a list of boxes. */
export function ParentPicker({ checkId, chosen, error, onChange }: ParentPickerProps) {
  const { data: names = new Map<string, string>() } = useQuery(checkNamesQuery)
  const others = [...names]
    .filter(([id]) => id !== checkId && !chosen.includes(id))
    .sort(([, a], [, b]) => a.localeCompare(b))
  if (others.length === 0 && chosen.length === 0) return null
  return (
    <div className="space-y-2">
      <SelectField
        label="Depends on"
        hint="While one of these checks fails, nobody is told of this one: it is held, and told later if it still fails then."
        value=""
        disabled={chosen.length >= MOST_PARENTS || others.length === 0}
        options={[
          { value: '', label: chosen.length >= MOST_PARENTS ? 'No more than ten' : 'Add a check…' },
          ...others.map(([value, label]) => ({ value, label })),
        ]}
        error={error}
        onChange={(id) => id !== '' && onChange([...chosen, id])}
      />
      {chosen.length > 0 && (
        <ul aria-label="Checks that it depends on" className="flex flex-wrap gap-2">
          {chosen.map((id) => {
            const name = names.get(id) ?? id
            return (
              <li key={id} className="flex max-w-full items-center gap-1 rounded-md bg-sunken py-0.5 pr-0.5 pl-2.5">
                <span className="truncate text-[0.875rem]">{name}</span>
                <IconButton
                  icon="cross"
                  label={`Do not depend on ${name}`}
                  onClick={() => onChange(chosen.filter((other) => other !== id))}
                />
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
