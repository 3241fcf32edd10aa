import { useQuery } from '@tanstack/react-query'
import type { RunnableKind } from '@vedette/schema'
import { type ReactNode, useState } from 'react'
import { groupsQuery } from '../../../api/groups.ts'
import { Button } from '../../../components/button.tsx'
import { Disclosure } from '../../../components/disclosure.tsx'
import { TextField } from '../../../components/field.tsx'
import { Notice } from '../../../components/notice.tsx'
import { GroupSays } from '../groups/group-says.tsx'
import { NO_OVERRIDES, overridesOf } from '../groups/overrides.ts'
import { kinds } from '../kinds/index.ts'
import type { ErrorOf, KindDrafts, KindView } from '../kinds/kind-view.ts'
import { AlertFields } from './alert-fields.tsx'
import { GroupField } from './group-field.tsx'
import { LocationFields } from './location-fields.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import type { SharedDraft } from './shared-draft.ts'
import { useSubmit } from './use-submit.ts'

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
  const [shared, setShared] = useState(start.shared)
  const [own, setOwn] = useState(start.own)
  const { form, busy, error, complaints, submit } = useSubmit(async () => {
    const name = shared.name.trim() === '' ? view.nameFor(own) : shared.name.trim()
    await onSubmit({ ...shared, name }, own)
  })
  const errorOf: ErrorOf = (key) => complaints.at(key)

  const { data: groups = [] } = useQuery(groupsQuery)
  const group = groups.find(({ id }) => id === shared.groupId)
  const overrides = group ? overridesOf(group) : NO_OVERRIDES

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
        <Disclosure summary="More settings" open={open || complaints.any || start.shared.groupId !== null}>
          <div className="space-y-8 pt-2 pb-3">
            {groups.length > 0 && <GroupField draft={shared} set={set} errorOf={errorOf} groups={groups} />}
            <ScheduleFields draft={shared} set={set} errorOf={errorOf} overrides={overrides} />
            <LocationFields draft={shared} set={set} errorOf={errorOf} overrides={overrides} />
            {kind === 'API' && overrides.request !== null && (
              <p>
                <GroupSays text={overrides.request} />
              </p>
            )}
            <view.More {...parts} />
            <AlertFields draft={shared} set={set} errorOf={errorOf} overrides={overrides} />
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
