import { useQuery } from '@tanstack/react-query'
import { MOST_PARENTS } from '@vedette/schema'
import { useMemo } from 'react'
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

const NONE: ReadonlyMap<string, string> = new Map()
const { compare } = new Intl.Collator()

/** Checks that this one cannot do without, chosen one after the other: there may be too many for a list of boxes. */
export function ParentPicker({ checkId, chosen, error, onChange }: ParentPickerProps) {
  const { data: names = NONE } = useQuery(checkNamesQuery)
  // Thousands, perhaps: not anew at every key that is pressed in the form.
  const byName = useMemo(() => [...names].sort(([, a], [, b]) => compare(a, b)), [names])
  const others = useMemo(
    () => byName.filter(([id]) => id !== checkId && !chosen.includes(id)),
    [byName, checkId, chosen],
  )
  const isFull = chosen.length >= MOST_PARENTS
  const options = useMemo(
    () => [
      { value: '', label: isFull ? 'No more than ten' : 'Add a check…' },
      ...others.map(([value, label]) => ({ value, label })),
    ],
    [others, isFull],
  )
  if (others.length === 0 && chosen.length === 0) return null
  return (
    <div className="space-y-2">
      <SelectField
        label="Depends on"
        hint="While one of these checks fails, nobody is told of this one: it is held, and told later if it still fails then."
        value=""
        disabled={isFull || others.length === 0}
        options={options}
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
