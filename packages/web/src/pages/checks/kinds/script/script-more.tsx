import { useQuery } from '@tanstack/react-query'
import { MOST_SCRIPT_SECONDS, RUNTIMES, type Runtime } from '@vedette/schema'
import { useContext } from 'react'
import { runtimesQuery } from '../../../../api/runtimes.ts'
import { SelectField, TextField } from '../../../../components/field.tsx'
import { FormGroup } from '../../form/form-group.ts'
import { VariablesFields } from '../../variables/variables-fields.tsx'
import type { PartProps } from '../kind-view.ts'
import { RunTimeoutField } from '../run-timeout-field.tsx'
import { DependenciesFields } from './dependencies-fields.tsx'
import type { MultiStepDraft } from './draft.ts'

/** What scripts of all kinds have beside themselves. */
export function ScriptMore({
  draft,
  set,
  errorOf,
  of,
}: PartProps<MultiStepDraft> & { of: (runtime: Runtime) => boolean }) {
  return (
    <>
      <fieldset className="space-y-4">
        <legend className="mb-3 text-[0.9375rem] font-semibold">How it is run</legend>
        <div className="grid gap-4 sm:grid-cols-2">
          <RuntimeField draft={draft} set={set} errorOf={errorOf} of={of} />
          <TextField
            label="File name"
            hint="Where the script lies, seen from the files that it imports. Empty: among them."
            placeholder="shop/checkout.spec.ts"
            maxLength={1000}
            spellCheck={false}
            autoCapitalize="none"
            value={draft.scriptPath}
            error={errorOf('scriptPath')}
            onChange={(scriptPath) => set({ scriptPath })}
          />
          <RunTimeoutField draft={draft} set={set} errorOf={errorOf} most={MOST_SCRIPT_SECONDS} />
        </div>
      </fieldset>
      <DependenciesFields draft={draft} set={set} errorOf={errorOf} />
      <VariablesFields
        draft={draft}
        set={set}
        errorOf={errorOf}
        hint="The script sees them in process.env, in place of those of the group and the account of the same name."
      />
    </>
  )
}

function RuntimeField({ draft, set, errorOf, of }: PartProps<MultiStepDraft> & { of: (runtime: Runtime) => boolean }) {
  const { data: runtimes = [] } = useQuery(runtimesQuery)
  const group = useContext(FormGroup)
  const fallback = group?.runtimeId ?? null
  const listed = runtimes.filter(of)
  const chosen = draft.runtimeId
  const isListed = chosen === null || listed.some(({ name }) => name === chosen)
  return (
    <SelectField
      label="Runtime"
      hint="The versions of Node.js, Playwright and the packages that the script may import."
      value={chosen ?? ''}
      options={[
        { value: '', label: fallback === null ? 'That of the account' : `That of the group (${fallback})` },
        ...listed.map((runtime) => ({ value: runtime.name, label: wordsOf(runtime) })),
        ...(isListed ? [] : [{ value: chosen, label: chosen }]),
      ]}
      error={errorOf('runtimeId')}
      onChange={(value) => set({ runtimeId: RUNTIMES.find((one) => one === value) ?? null })}
    />
  )
}

const wordsOf = ({ name, stage, nodeJsVersion }: Runtime): string =>
  `${name}, Node.js ${nodeJsVersion.replace(/^v/, '')}${stage === 'CURRENT' || stage === 'STABLE' ? '' : `, ${stage.toLowerCase()}`}`
