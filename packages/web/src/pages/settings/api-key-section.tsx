import { type FormEvent, useState } from 'react'
import { useCreateApiKey } from '../../api/create-api-key.ts'
import { Button } from '../../components/button.tsx'
import { Copy } from '../../components/copy.tsx'
import { TextField } from '../../components/field.tsx'
import { Notice } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'

/** Makes keys for the API and the command line; each is shown once. */
export function ApiKeySection() {
  const create = useCreateApiKey()
  const [name, setName] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(name.trim(), { onSuccess: () => setName('') })
  }
  return (
    <Section title="API keys">
      <p className="mb-4 text-[0.875rem] text-soft">
        A key lets programs, such as the command line or your deployment, act as you in this account.
      </p>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <TextField
          label="Name of the new key"
          className="min-w-0 flex-1 basis-56"
          required
          maxLength={100}
          placeholder="deployment"
          value={name}
          onChange={setName}
        />
        <Button type="submit" look="primary" icon="plus" busy={create.isPending} className="min-h-9.5">
          Create a key
        </Button>
      </form>
      {create.error && <Notice tone="bad">{create.error.message}</Notice>}
      {create.data && (
        <div role="status" className="mt-4 space-y-2 rounded-lg bg-accent-soft p-4">
          <p className="font-semibold">The key “{create.data.name}”</p>
          <p className="text-[0.875rem] text-soft">Copy it now: it is not shown again.</p>
          <Copy key={create.data.id} label="API key" text={create.data.rawKey} />
        </div>
      )}
    </Section>
  )
}
