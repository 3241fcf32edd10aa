import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { groupsQuery } from '../../../api/groups.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { Button } from '../../../components/button.tsx'
import { Disclosure } from '../../../components/disclosure.tsx'
import { TextField } from '../../../components/field.tsx'
import { Notice } from '../../../components/notice.tsx'
import { frequencyOptions } from '../frequency.ts'
import { GroupSays } from '../groups/group-says.tsx'
import { NO_OVERRIDES, overridesOf } from '../groups/overrides.ts'
import { forms } from '../kinds/index.ts'
import type { ErrorOf, FormView, KindDrafts } from '../kinds/kind-view.ts'
import { type FormKind, runnableKind } from '../kinds/kind-words.ts'
import { AlertFields } from './alert-fields.tsx'
import { DryRunOutcome } from './dry-run-outcome.tsx'
import { FormGroup } from './form-group.ts'
import { GroupField } from './group-field.tsx'
import { LocationFields } from './location-fields.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import type { SharedDraft } from './shared-draft.ts'
import { useTryOut } from './use-try-out.ts'

interface CheckFormProps<K extends FormKind> {
  kind: K
  /** The check that is changed; null: a new one. */
  checkId: string | null
  shared: SharedDraft
  own: KindDrafts[K]
  /** What the button says. */
  action: string
  open?: boolean
  cancel: ReactNode
  onSubmit: (shared: SharedDraft, own: KindDrafts[K]) => Promise<void>
}

/** One question first; everything else has an answer already and waits under “More settings”. */
export function CheckForm<K extends FormKind>({
  kind,
  checkId,
  action,
  open = false,
  cancel,
  onSubmit,
  ...start
}: CheckFormProps<K>) {
  const view: FormView<K> = forms[kind]
  const runnable = runnableKind(kind)
  const { tryOut } = view
  const [shared, setShared] = useState(start.shared)
  const [own, setOwn] = useState(start.own)
  const named = () => ({ ...shared, name: shared.name.trim() === '' ? view.nameFor(own) : shared.name.trim() })
  const { form, busy, error, complaints, submit, attempt } = useSubmit(() => onSubmit(named(), own))
  const trying = useTryOut()
  const [ranWith, setRanWith] = useState<{ shared: SharedDraft; own: KindDrafts[K] } | null>(null)
  const runNow = () =>
    attempt(async () => {
      if (tryOut === null || form.current?.reportValidity() === false) return
      setRanWith({ shared, own })
      await trying.start((signal) => tryOut(checkId, named(), own, signal))
    })
  const about = useId()
  // What a complaint has opened stays open: closing it would move what is being read.
  const [opened, setOpened] = useState(open || start.shared.groupId !== null)
  if (complaints.any && !opened) setOpened(true)
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
    <FormGroup value={group}>
      <form ref={form} onSubmit={submit} className="card space-y-5 p-4 sm:p-6">
        <view.Essential {...parts} />
        <TextField
          label="Name"
          hint={view.nameHint ?? 'If you leave it empty, the address is the name.'}
          maxLength={255}
          value={shared.name}
          error={errorOf('name')}
          onChange={(name) => set({ name })}
        />
        <div className="rounded-lg border border-line px-4 py-2">
          <Disclosure summary="More settings" open={opened}>
            <div className="space-y-8 pt-2 pb-3">
              {runnable && groups.length > 0 && (
                <GroupField draft={shared} set={set} errorOf={errorOf} groups={groups} />
              )}
              <ScheduleFields
                draft={shared}
                set={set}
                errorOf={errorOf}
                overrides={overrides}
                runs={runnable !== undefined}
                retries={runnable !== undefined && view.retriesItself !== true}
                frequencies={view.frequencies ?? frequencyOptions}
              />
              {runnable && <LocationFields draft={shared} set={set} errorOf={errorOf} overrides={overrides} />}
              {kind === 'API' && overrides.request !== null && (
                <p>
                  <GroupSays text={overrides.request} />
                </p>
              )}
              <view.More {...parts} />
              <AlertFields draft={shared} set={set} errorOf={errorOf} overrides={overrides} checkId={checkId} />
            </div>
          </Disclosure>
        </div>
        {error && <Notice tone="bad">{error.message}</Notice>}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" busy={busy}>
            {action}
          </Button>
          {tryOut && (
            <Button icon="play" busy={trying.running} aria-describedby={about} onClick={() => void runNow()}>
              Run now
            </Button>
          )}
          {cancel}
        </div>
        {tryOut && (
          <p id={about} className="-mt-3 text-[0.8125rem] text-soft">
            “Run now” tries what stands here once, without saving it. The outcome appears below.
          </p>
        )}
      </form>
      {trying.running && (
        <div role="status" className="card mt-5 flex items-center justify-center gap-3 px-5 py-12 text-soft">
          <span aria-hidden="true" className="size-2.5 animate-ping rounded-full bg-lantern" />
          The run is under way…
        </div>
      )}
      {trying.outcome && runnable && (
        <DryRunOutcome
          kind={runnable}
          outcome={trying.outcome}
          group={group}
          isOld={ranWith === null || ranWith.shared !== shared || ranWith.own !== own}
        />
      )}
    </FormGroup>
  )
}
