import { CodeField } from '../../../../components/code-field.tsx'
import type { PartProps } from '../kind-view.ts'
import type { MultiStepDraft } from './draft.ts'

const LONGEST = 5 * 1024 * 1024

interface ScriptEssentialProps extends PartProps<Pick<MultiStepDraft, 'script'>> {
  hint: string
}

export function ScriptEssential({ draft, set, errorOf, hint }: ScriptEssentialProps) {
  return (
    <CodeField
      label="Script"
      hint={hint}
      required
      numbered
      maxLength={LONGEST}
      value={draft.script}
      error={errorOf('script')}
      onChange={(script) => set({ script })}
    />
  )
}
