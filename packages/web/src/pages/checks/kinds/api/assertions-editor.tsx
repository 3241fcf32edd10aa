import type { ApiAssertion } from '@vedette/schema'
import { FieldError, SelectControl } from '../../../../components/field.tsx'
import { Rows } from '../../../../components/rows.tsx'
import type { PartProps } from '../kind-view.ts'
import type { ApiDraft } from './draft.ts'
import { comparisonOptions, needsTarget, sourceOptions, sources } from './words.ts'

const BLANK: ApiAssertion = { source: 'STATUS_CODE', comparison: 'EQUALS', property: '', target: '200', regex: '' }

interface AssertionsEditorProps extends PartProps<Pick<ApiDraft, 'assertions'>> {
  hint: string
  /** Where the request has them: the path by which complaints name them. */
  path: string
}

export function AssertionsEditor({ draft, set, errorOf, hint, path }: AssertionsEditorProps) {
  return (
    <fieldset>
      <legend className="text-[0.9375rem] font-semibold">Assertions</legend>
      <p className="mb-3 text-[0.8125rem] text-faint">{hint}</p>
      <Rows noun="assertion" items={draft.assertions} blank={BLANK} onChange={(assertions) => set({ assertions })}>
        {(assertion, setOne, index) => (
          <>
            <AssertionFields assertion={assertion} number={index + 1} set={setOne} />
            <FieldError error={errorOf(`${path}.${index}`)} />
          </>
        )}
      </Rows>
      <FieldError error={errorOf(path)} />
    </fieldset>
  )
}

interface AssertionFieldsProps {
  assertion: ApiAssertion
  number: number
  set: (changes: Partial<ApiAssertion>) => void
}

function AssertionFields({ assertion, number, set }: AssertionFieldsProps) {
  const { property, example } = sources[assertion.source]
  const options = comparisonOptions(assertion.source)
  return (
    <div className="grid gap-2 sm:grid-cols-2 lg:grid-cols-[11.5rem_1.2fr_10.5rem_1fr]">
      <SelectControl
        aria-label={`Source of assertion ${number}`}
        value={assertion.source}
        options={sourceOptions}
        onChange={(source) => {
          const kept = comparisonOptions(source).some(({ value }) => value === assertion.comparison)
          set({ source, property: '', regex: '', comparison: kept ? assertion.comparison : 'EQUALS' })
        }}
      />
      {property === null ? (
        <span className="hidden lg:block" />
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
