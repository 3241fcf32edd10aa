import { VISIBILITIES, visibilityWords } from '../../../api/visibility.ts'
import { FieldError, SelectControl } from '../../../components/field.tsx'
import { Rows } from '../../../components/rows.tsx'
import type { PartProps } from '../kinds/kind-view.ts'
import { BLANK_VARIABLE, type DraftVariable } from './variables.ts'

const options = VISIBILITIES.map((value) => ({ value, label: visibilityWords[value].label }))
const MOST_LINES = 6

interface VariablesFieldsProps extends PartProps<{ variables: readonly DraftVariable[] }> {
  /** Who sees them. */
  hint: string
}

/** What requests and scripts name. */
export function VariablesFields({ draft, set, errorOf, hint }: VariablesFieldsProps) {
  return (
    <fieldset>
      <legend className="text-[0.9375rem] font-semibold">Variables</legend>
      <p className="mb-3 text-[0.8125rem] text-faint">
        {hint} A locked value is read by those who may change settings, a secret by nobody.
      </p>
      <Rows noun="variable" items={draft.variables} blank={BLANK_VARIABLE} onChange={(variables) => set({ variables })}>
        {({ key, value, visibility, isKept }, setOne, index) => (
          <>
            <div className="grid gap-2 sm:grid-cols-[2fr_3fr_8rem] sm:items-start">
              <input
                className="control font-mono text-[0.8125rem]!"
                aria-label={`Name of variable ${index + 1}`}
                placeholder="SHOP_HOST"
                maxLength={255}
                autoCapitalize="none"
                autoComplete="off"
                spellCheck={false}
                value={key}
                onChange={(event) => setOne({ key: event.target.value })}
              />
              <textarea
                className={`control font-mono text-[0.8125rem]! ${visibility === 'plain' ? '' : '[-webkit-text-security:disc]'}`}
                aria-label={`Value of variable ${index + 1}`}
                placeholder={isKept ? 'kept; what you write replaces it' : 'Value'}
                rows={Math.min(value.split('\n').length, MOST_LINES)}
                maxLength={65_536}
                autoComplete="off"
                spellCheck={false}
                value={value}
                onChange={(event) => setOne({ value: event.target.value })}
              />
              <SelectControl
                aria-label={`Who may read variable ${index + 1}`}
                disabled={isKept}
                value={visibility}
                options={options}
                onChange={(visibility) => setOne({ visibility })}
              />
            </div>
            <FieldError error={errorOf(`environmentVariables.${index}`)} />
          </>
        )}
      </Rows>
    </fieldset>
  )
}
