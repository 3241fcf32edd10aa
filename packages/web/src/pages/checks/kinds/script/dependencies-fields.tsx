import { CodeField } from '../../../../components/code-field.tsx'
import { TextField } from '../../../../components/field.tsx'
import { Rows } from '../../../../components/rows.tsx'
import type { PartProps } from '../kind-view.ts'
import { BLANK_DEPENDENCY, type MultiStepDraft } from './draft.ts'

/** Files that lie beside the script while it runs. */
export function DependenciesFields({ draft, set, errorOf }: PartProps<Pick<MultiStepDraft, 'dependencies'>>) {
  return (
    <fieldset>
      <legend className="text-[0.9375rem] font-semibold">Files that it imports</legend>
      <p className="mb-3 text-[0.8125rem] text-faint">
        Each with its place seen from the top, such as shop/cart.ts. The script names them relative to itself.
      </p>
      <Rows
        noun="file"
        items={draft.dependencies}
        blank={BLANK_DEPENDENCY}
        onChange={(dependencies) => set({ dependencies })}
      >
        {({ path, content }, setOne, index) => (
          <div className="space-y-2">
            <TextField
              label={`Place of file ${index + 1}`}
              placeholder="shop/cart.ts"
              maxLength={1000}
              required={content !== ''}
              spellCheck={false}
              autoCapitalize="none"
              value={path}
              error={errorOf(`dependencies.${index}.path`)}
              onChange={(path) => setOne({ path })}
            />
            <CodeField
              label={`Content of file ${index + 1}`}
              numbered
              value={content}
              error={errorOf(`dependencies.${index}.content`)}
              onChange={(content) => setOne({ content })}
            />
          </div>
        )}
      </Rows>
    </fieldset>
  )
}
