import type { PrivateLocation } from '@vedette/schema'
import { type FormEvent, useState } from 'react'
import { useCreatePrivateLocation } from '../../api/create-private-location.ts'
import { Refusal } from '../../api/refusal.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { Notice } from '../../components/notice.tsx'

const LONGEST_SLUG = 30

interface AddPrivateLocationProps {
  onAdded: (location: PrivateLocation) => void
  onClose: () => void
}

export function AddPrivateLocation({ onAdded, onClose }: AddPrivateLocationProps) {
  const create = useCreatePrivateLocation()
  const [name, setName] = useState('')
  const [slug, setSlug] = useState<string | null>(null)
  const slugName = slug ?? slugFrom(name)
  const refused = create.error instanceof Refusal ? create.error : null
  const slugRefused = refused?.status === 409 || refused?.keys.includes('slugName')

  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({ name: name.trim(), slugName }, { onSuccess: onAdded })
  }
  return (
    <Dialog title="Add a private location" onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <TextField
          label="Name"
          required
          maxLength={255}
          placeholder="Office in Lisbon"
          value={name}
          onChange={setName}
        />
        <TextField
          label="Short name"
          hint="Letters, digits and hyphens. Checks as code name the location by it; it stays."
          required
          maxLength={LONGEST_SLUG}
          value={slugName}
          error={slugRefused ? refused?.message : undefined}
          onChange={setSlug}
        />
        {create.error && !slugRefused && <Notice tone="bad">{create.error.message}</Notice>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            Add the location
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const slugFrom = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_SLUG)
    .replace(/^-+|-+$/g, '')
