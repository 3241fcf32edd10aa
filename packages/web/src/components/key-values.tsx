import { useId } from 'react'
import { FieldNote } from './field.tsx'
import { Rows } from './rows.tsx'

interface Pair {
  key: string
  value: string
  locked: boolean
}

interface KeyValuesProps {
  legend: string
  noun: string
  items: readonly Pair[]
  onChange: (items: Pair[]) => void
  /** What the writer may want to know of a value. */
  noteOf?: (value: string, isHidden: boolean) => string | undefined
}

/** Headers, query parameters and their like. */
export function KeyValues({ legend, noun, items, onChange, noteOf }: KeyValuesProps) {
  const id = useId()
  return (
    <fieldset>
      <legend className="mb-1 text-[0.8125rem] font-semibold">{legend}</legend>
      <Rows noun={noun} items={items} blank={{ key: '', value: '', locked: false }} onChange={onChange}>
        {(item, set, index) => {
          const note = noteOf?.(item.value, item.locked)
          const noteId = `${id}-${index}`
          return (
            <>
              <div className="grid gap-2 sm:grid-cols-[2fr_3fr_auto] sm:items-center">
                <input
                  className="control"
                  aria-label={`Name of ${noun} ${index + 1}`}
                  placeholder="Name"
                  value={item.key}
                  onChange={(event) => set({ key: event.target.value })}
                />
                <input
                  className="control"
                  aria-label={`Value of ${noun} ${index + 1}`}
                  placeholder="Value"
                  value={item.value}
                  type={item.locked ? 'password' : 'text'}
                  autoComplete="off"
                  aria-describedby={note === undefined ? undefined : noteId}
                  onChange={(event) => set({ value: event.target.value })}
                />
                <label className="flex items-center gap-1.5 text-[0.8125rem] text-soft">
                  <input
                    type="checkbox"
                    className="size-4 accent-accent"
                    checked={item.locked}
                    onChange={(event) => set({ locked: event.target.checked })}
                  />
                  Secret
                </label>
              </div>
              <FieldNote id={noteId} note={note} />
            </>
          )
        }}
      </Rows>
    </fieldset>
  )
}
