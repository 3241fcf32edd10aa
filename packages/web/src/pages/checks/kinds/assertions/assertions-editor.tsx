import { useId } from 'react'
import { FieldError, FieldNote, SelectControl } from '../../../../components/field.tsx'
import { Rows } from '../../../../components/rows.tsx'
import type { PartProps } from '../kind-view.ts'
import {
  type AssertionSource,
  comparisonOptions,
  type DraftAssertion,
  firstProperty,
  needsTarget,
  sourceOptions,
  sources,
} from './words.ts'

interface AssertionsEditorProps<S extends AssertionSource>
  extends PartProps<{ assertions: readonly DraftAssertion<S>[] }> {
  /** Those that the kind knows; a new assertion has the first of them. */
  among: readonly [S, ...S[]]
  hint: string
  /** Where the request has them: the path by which complaints name them. */
  path: string
  /** What the writer may want to know of a target. */
  noteOf?: (target: string) => string | undefined
}

export function AssertionsEditor<S extends AssertionSource>({
  draft,
  set,
  errorOf,
  among,
  hint,
  path,
  noteOf,
}: AssertionsEditorProps<S>) {
  const id = useId()
  const [source] = among
  const blank = {
    source,
    comparison: 'EQUALS' as const,
    property: firstProperty(source),
    target: sources[source].example,
    regex: '',
  }
  return (
    <fieldset>
      <legend className="text-[0.9375rem] font-semibold">Assertions</legend>
      <p className="mb-3 text-[0.8125rem] text-faint">{hint}</p>
      <Rows noun="assertion" items={draft.assertions} blank={blank} onChange={(assertions) => set({ assertions })}>
        {(assertion, setOne, index) => {
          const note = noteOf?.(String(assertion.target ?? ''))
          const noteId = `${id}-${index}`
          return (
            <>
              <AssertionFields
                assertion={assertion}
                among={among}
                number={index + 1}
                set={setOne}
                describedBy={note === undefined ? undefined : noteId}
              />
              <FieldNote id={noteId} note={note} />
              <FieldError error={errorOf(`${path}.${index}`)} />
            </>
          )
        }}
      </Rows>
      <FieldError error={errorOf(path)} />
    </fieldset>
  )
}

interface AssertionFieldsProps<S extends AssertionSource> {
  assertion: DraftAssertion<S>
  among: readonly S[]
  number: number
  set: (changes: Partial<DraftAssertion<S>>) => void
  /** The note about its target. */
  describedBy: string | undefined
}

function AssertionFields<S extends AssertionSource>({
  assertion,
  among,
  number,
  set,
  describedBy,
}: AssertionFieldsProps<S>) {
  const { property, among: properties, example } = sources[assertion.source]
  const options = comparisonOptions(assertion.source)
  return (
    <div className="grid gap-2 sm:grid-cols-2 lg:grid-cols-[11.5rem_1.2fr_10.5rem_1fr]">
      <SelectControl
        aria-label={`Source of assertion ${number}`}
        value={assertion.source}
        options={sourceOptions(among)}
        onChange={(source) => {
          const kept = comparisonOptions(source).some(({ value }) => value === assertion.comparison)
          set({
            source,
            property: firstProperty(source),
            regex: '',
            comparison: kept ? assertion.comparison : 'EQUALS',
          })
        }}
      />
      {property === null ? (
        <span className="hidden lg:block" />
      ) : properties ? (
        <SelectControl
          aria-label={`Property of assertion ${number}`}
          value={assertion.property ?? ''}
          options={properties}
          onChange={(chosen) => set({ property: chosen })}
        />
      ) : (
        <input
          className="control"
          aria-label={`Property of assertion ${number}`}
          placeholder={property}
          value={assertion.property ?? ''}
          onChange={(event) => set({ property: event.target.value })}
        />
      )}
      <SelectControl
        aria-label={`Comparison of assertion ${number}`}
        value={assertion.comparison}
        options={options}
        onChange={(comparison) => set({ comparison })}
      />
      {needsTarget(assertion.comparison) ? (
        <input
          className="control"
          aria-label={`Target of assertion ${number}`}
          aria-describedby={describedBy}
          placeholder={example}
          value={String(assertion.target ?? '')}
          onChange={(event) => set({ target: event.target.value })}
        />
      ) : (
        <span className="hidden lg:block" />
      )}
    </div>
  )
}
