import type { RunnableKind } from '@vedette/schema'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Disclosure } from '../../../components/disclosure.tsx'
import { TextField } from '../../../components/field.tsx'
import { Notice } from '../../../components/notice.tsx'
import { kinds } from '../kinds/index.ts'
import type { ErrorOf, KindDrafts, KindView } from '../kinds/kind-view.ts'
import { AlertFields } from './alert-fields.tsx'
import { complaintsIn } from './complaints.ts'
import { LocationFields } from './location-fields.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import type { SharedDraft } from './shared-draft.ts'

interface CheckFormProps<K extends RunnableKind> {
  kind: K
  shared: SharedDraft
  own: KindDrafts[K]
  /** What the button says. */
  action: string
  open?: boolean
  cancel: ReactNode
  onSubmit: (shared: SharedDraft, own: KindDrafts[K]) => Promise<void>
}

/** One question first; everything else has an answer already and waits under “More settings”. */
export function CheckForm<K extends RunnableKind>({
  kind,
  action,
  open = false,
  cancel,
  onSubmit,
  ...start
}: CheckFormProps<K>) {
  const view: KindView<K> = kinds[kind]
  const form = useRef<HTMLFormElement>(null)
  const [shared, setShared] = useState(start.shared)
  const [own, setOwn] = useState(start.own)
  const [error, setError] = useState<Error | null>(null)
  const [busy, setBusy] = useState(false)
  const complaints = complaintsIn(error)
  const errorOf: ErrorOf = (key) => complaints.at(key)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      const name = shared.name.trim() === '' ? view.nameFor(own) : shared.name.trim()
      await onSubmit({ ...shared, name }, own)
    } catch (refusal) {
      setError(refusal instanceof Error ? refusal : new Error(String(refusal)))
      requestAnimationFrame(() => focusFirstComplaint(form.current))
    } finally {
      setBusy(false)
    }
  }

  const set = (changes: Partial<SharedDraft>) => setShared((old) => ({ ...old, ...changes }))
  const parts = {
    draft: own,
    set: (changes: Partial<KindDrafts[K]>) => setOwn((old) => ({ ...old, ...changes })),
    errorOf,
  }
  return (
    <form ref={form} onSubmit={submit} className="card space-y-5 p-4 sm:p-6">
      <view.Essential {...parts} />
      <TextField
        label="Name"
        hint="If you leave it empty, the address is the name."
        maxLength={255}
        value={shared.name}
        error={errorOf('name')}
        onChange={(name) => set({ name })}
      />
      <div className="rounded-lg border border-line px-4 py-2">
        <Disclosure summary="More settings" open={open || complaints.any}>
          <div className="space-y-8 pt-2 pb-3">
            <ScheduleFields draft={shared} set={set} errorOf={errorOf} />
            <LocationFields draft={shared} set={set} errorOf={errorOf} />
            <view.More {...parts} />
            <AlertFields draft={shared} set={set} errorOf={errorOf} />
          </div>
        </Disclosure>
      </div>
      {error && <Notice tone="bad">{error.message}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={busy}>
          {action}
        </Button>
        {cancel}
      </div>
    </form>
  )
}

function focusFirstComplaint(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}
