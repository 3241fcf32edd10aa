import { useQuery } from '@tanstack/react-query'
import { GRANTABLE_ROLES, type GrantableRole } from '@vedette/schema'
import { type FormEvent, useState } from 'react'
import { useCreateServiceKey } from '../../api/create-service-key.ts'
import { useDeleteServiceKey } from '../../api/delete-service-key.ts'
import { serviceKeysQuery } from '../../api/service-keys.ts'
import { Button } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { Notice } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'
import { KeyList } from './key-list.tsx'
import { NewKey } from './new-key.tsx'
import { roleWords } from './role-words.ts'

const roles = GRANTABLE_ROLES.map((value) => ({ value, label: roleWords[value] }))

/** Keys that stay when people go; for those who rule the account. */
export function ServiceKeySection() {
  const keys = useQuery(serviceKeysQuery)
  const create = useCreateServiceKey()
  const remove = useDeleteServiceKey()
  const [name, setName] = useState('')
  const [role, setRole] = useState<GrantableRole>('READ_ONLY')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({ name: name.trim(), role }, { onSuccess: () => setName('') })
  }
  return (
    <Section title="Service keys">
      <p className="mb-4 text-[0.875rem] text-soft">
        A service key belongs to the account and to nobody in particular: it may do what its role allows, whoever comes
        or goes.
      </p>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <TextField
          label="Name of the new service key"
          className="min-w-0 flex-1 basis-56"
          required
          maxLength={100}
          placeholder="dashboard in the hall"
          value={name}
          onChange={setName}
        />
        <SelectField label="Role" value={role} options={roles} onChange={setRole} />
        <Button type="submit" look="primary" icon="plus" busy={create.isPending} className="min-h-9.5">
          Create a service key
        </Button>
      </form>
      {create.error && <Notice tone="bad">{create.error.message}</Notice>}
      {create.data && create.data.id !== remove.variables && <NewKey label="Service key" created={create.data} />}
      <KeyList label="Service keys" keys={keys} remove={remove} />
    </Section>
  )
}
