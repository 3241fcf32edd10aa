import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { apiKeysQuery } from '../../api/api-keys.ts'
import { useCreateApiKey } from '../../api/create-api-key.ts'
import { useDeleteApiKey } from '../../api/delete-api-key.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Notice } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'
import { KeyList } from './key-list.tsx'
import { NewKey } from './new-key.tsx'

/** One's own keys for the API and the command line. */
export function ApiKeySection() {
  const keys = useQuery(apiKeysQuery)
  const create = useCreateApiKey()
  const remove = useDeleteApiKey()
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
      {create.data && create.data.id !== remove.variables && <NewKey label="API key" created={create.data} />}
      <KeyList label="Your API keys" keys={keys} remove={remove} />
    </Section>
  )
}
