import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Snippet } from '@vedette/schema'
import { useState } from 'react'
import { keys } from '../../../api/keys.ts'
import { isRefusal } from '../../../api/refusal.ts'
import { saveSnippet } from '../../../api/save-snippet.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { Button } from '../../../components/button.tsx'
import { CodeField } from '../../../components/code-field.tsx'
import { TextField } from '../../../components/field.tsx'
import { Notice } from '../../../components/notice.tsx'

/** @param snippet null adds one */
export function SnippetForm({ snippet }: { snippet: Snippet | null }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [name, setName] = useState(snippet?.name ?? '')
  const [script, setScript] = useState(snippet?.script ?? '')
  const { form, busy, error, complaints, submit } = useSubmit(async () => {
    await saveSnippet(snippet?.id ?? null, { name: name.trim(), script })
    await queryClient.invalidateQueries({ queryKey: keys.snippets })
    await navigate({ to: '/settings/snippets' })
  })
  const nameError = complaints.at('name') ?? (isRefusal(error, 409) ? error?.message : undefined)
  return (
    <form ref={form} onSubmit={submit} className="card space-y-4 p-4 sm:p-6">
      <TextField
        label="Name"
        hint={`Scripts import it as ./snippets/${name.trim() || '…'}.js.`}
        required
        maxLength={100}
        placeholder="log-in"
        autoCapitalize="none"
        spellCheck={false}
        value={name}
        error={nameError}
        onChange={setName}
      />
      <CodeField
        label="Script"
        hint="JavaScript or TypeScript. What it exports can be imported; chosen for a check, it is run."
        required
        value={script}
        error={complaints.at('script')}
        onChange={setScript}
      />
      {error && nameError === undefined && <Notice tone="bad">{error.message}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={busy}>
          {snippet === null ? 'Add the snippet' : 'Save'}
        </Button>
        <Link to="/settings/snippets" className="button button-quiet">
          Cancel
        </Link>
      </div>
    </form>
  )
}
