import { MOST_SUITE_SECONDS, PLAYWRIGHT_VERSIONS } from '@vedette/schema'
import { CheckboxField, SelectField, TextField } from '../../../../components/field.tsx'
import { VariablesFields } from '../../variables/variables-fields.tsx'
import type { PartProps } from '../kind-view.ts'
import { RunTimeoutField } from '../run-timeout-field.tsx'
import type { SuiteDraft } from './draft.ts'
import { ProjectUpload } from './project-upload.tsx'

export function SuiteEssential(props: PartProps<SuiteDraft>) {
  const { draft, set, errorOf } = props
  return (
    <>
      <ProjectUpload {...props} />
      <TextField
        label="Test command"
        hint="Choose among the tests with --project, --grep and names of files. No shell reads it. Empty: all tests run."
        placeholder="npx playwright test --project=shop"
        maxLength={2000}
        spellCheck={false}
        autoCapitalize="none"
        value={draft.testCommand}
        error={errorOf('testCommand')}
        onChange={(testCommand) => set({ testCommand })}
      />
    </>
  )
}

export function SuiteMore({ draft, set, errorOf }: PartProps<SuiteDraft>) {
  return (
    <>
      <fieldset className="space-y-4">
        <legend className="mb-3 text-[0.9375rem] font-semibold">How it is run</legend>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Folder"
            hint="Where the configuration lies in the archive. Empty: at its top."
            placeholder="packages/e2e"
            maxLength={2000}
            spellCheck={false}
            autoCapitalize="none"
            value={draft.workingDir}
            error={errorOf('workingDir')}
            onChange={(workingDir) => set({ workingDir })}
          />
          <VersionField draft={draft} set={set} errorOf={errorOf} />
          <RunTimeoutField draft={draft} set={set} errorOf={errorOf} most={MOST_SUITE_SECONDS} />
        </div>
        <CheckboxField
          label="Opens pages"
          hint="A suite that only makes requests starts sooner without a browser."
          checked={draft.hasPages}
          onChange={(hasPages) => set({ hasPages })}
        />
      </fieldset>
      <VariablesFields
        draft={draft}
        set={set}
        errorOf={errorOf}
        hint="The suite sees them in process.env, in place of those of the group and the account of the same name."
      />
    </>
  )
}

function VersionField({ draft, set, errorOf }: PartProps<SuiteDraft>) {
  const chosen = draft.playwrightVersion
  const isListed = chosen === '' || PLAYWRIGHT_VERSIONS.includes(chosen)
  return (
    <SelectField
      label="Playwright"
      hint="Of the runners. One that the archive brings in node_modules is left out."
      value={chosen}
      options={[
        { value: '', label: 'The current version' },
        ...PLAYWRIGHT_VERSIONS.map((value) => ({ value, label: value })),
        ...(isListed ? [] : [{ value: chosen, label: chosen }]),
      ]}
      error={errorOf('playwrightVersion')}
      onChange={(playwrightVersion) => set({ playwrightVersion })}
    />
  )
}
