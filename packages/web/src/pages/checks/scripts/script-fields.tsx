import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { snippetsQuery } from '../../../api/snippets.ts'
import { CodeField } from '../../../components/code-field.tsx'
import { SelectField } from '../../../components/field.tsx'
import type { PartProps } from '../kinds/kind-view.ts'
import type { ScriptsDraft } from './scripts.ts'

interface ScriptFieldsProps extends PartProps<ScriptsDraft> {
  /** When they run, seen from those of the group or the checks. */
  before: ReactNode
  after: ReactNode
}

/** What runs around the request of an API check, or of all of them in a group. */
export function ScriptFields({ draft, set, errorOf, before, after }: ScriptFieldsProps) {
  return (
    <>
      <fieldset className="space-y-4">
        <legend className="text-[0.9375rem] font-semibold">Scripts before the request</legend>
        {before}
        <SnippetField
          label="Snippet before the request"
          value={draft.setUpSnippetId}
          error={errorOf('setupSnippetId')}
          onChange={(setUpSnippetId) => set({ setUpSnippetId })}
        />
        <CodeField
          label="Script before the request"
          hint="JavaScript or TypeScript that prepares request and process.env. When it fails, nothing is sent."
          maxLength={LONGEST_SCRIPT}
          value={draft.setUpScript}
          error={errorOf('localSetupScript')}
          onChange={(setUpScript) => set({ setUpScript })}
        />
      </fieldset>
      <fieldset className="space-y-4">
        <legend className="text-[0.9375rem] font-semibold">Scripts after the request</legend>
        {after}
        <SnippetField
          label="Snippet after the request"
          value={draft.tearDownSnippetId}
          error={errorOf('tearDownSnippetId')}
          onChange={(tearDownSnippetId) => set({ tearDownSnippetId })}
        />
        <CodeField
          label="Script after the request"
          hint="May read request and response, and change response.body before assertions see it."
          maxLength={LONGEST_SCRIPT}
          value={draft.tearDownScript}
          error={errorOf('localTearDownScript')}
          onChange={(tearDownScript) => set({ tearDownScript })}
        />
      </fieldset>
    </>
  )
}

const LONGEST_SCRIPT = 262_144

interface SnippetFieldProps {
  label: string
  value: number | null
  error: string | undefined
  onChange: (id: number | null) => void
}

function SnippetField({ label, value, error, onChange }: SnippetFieldProps) {
  const { data: snippets } = useQuery(snippetsQuery)
  const options = (snippets ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const isListed = value === null || snippets?.some(({ id }) => id === value)
  return (
    <SelectField
      label={label}
      hint={
        snippets?.length === 0
          ? 'There is none yet: pieces of script that checks share are added under Settings, Snippets.'
          : 'Runs before the script below.'
      }
      value={value === null ? '' : String(value)}
      options={[
        { value: '', label: 'None' },
        ...options,
        ...(isListed ? [] : [{ value: String(value), label: `Snippet ${value}` }]),
      ]}
      error={error}
      onChange={(chosen) => onChange(chosen === '' ? null : Number(chosen))}
    />
  )
}
