import type { CheckGroup } from '@vedette/schema'
import { type ReactNode, useState } from 'react'
import { useSubmit } from '../../../api/use-submit.ts'
import { Button } from '../../../components/button.tsx'
import { CheckboxField, SelectField, TextArea, TextField } from '../../../components/field.tsx'
import { Notice } from '../../../components/notice.tsx'
import { AlertSettingsFields } from '../form/alert-settings-fields.tsx'
import { ChannelPicker } from '../form/channel-picker.tsx'
import { FormGroup } from '../form/form-group.ts'
import { LocationPicker } from '../form/location-fields.tsx'
import { retryOptions, StrategyFields, strategyFor } from '../form/retry-fields.tsx'
import type { PartProps } from '../kinds/kind-view.ts'
import { retryChoice } from '../retry.ts'
import { VariablesFields } from '../variables/variables-fields.tsx'
import { ApiDefaultsFields } from './api-defaults-fields.tsx'
import type { GroupDraft } from './group-draft.ts'

interface GroupFormProps {
  /** Undefined for a new one. */
  group?: CheckGroup
  start: GroupDraft
  /** What the button says. */
  action: string
  cancel: ReactNode
  onSubmit: (draft: GroupDraft) => Promise<void>
}

/** Whatever is left open here stays with each check. */
export function GroupForm({ group, start, action, cancel, onSubmit }: GroupFormProps) {
  const [draft, setDraft] = useState(start)
  const { form, busy, error, complaints, submit } = useSubmit(() => onSubmit(draft))
  const parts: PartProps<GroupDraft> = {
    draft,
    set: (changes) => setDraft((old) => ({ ...old, ...changes })),
    errorOf: (key) => complaints.at(key),
  }
  return (
    <FormGroup value={group}>
      <form ref={form} onSubmit={submit} className="card space-y-8 p-4 sm:p-6">
        <GeneralFields {...parts} />
        <PlaceFields {...parts} />
        <RetryField {...parts} />
        <TellFields {...parts} />
        <VariablesFields
          {...parts}
          hint="The checks of the group see them in place of those of the account of the same name."
        />
        <ApiDefaultsFields {...parts} />
        {error && <Notice tone="bad">{error.message}</Notice>}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" busy={busy}>
            {action}
          </Button>
          {cancel}
        </div>
      </form>
    </FormGroup>
  )
}

function GeneralFields({ draft, set, errorOf }: PartProps<GroupDraft>) {
  return (
    <div className="space-y-4">
      <TextField
        label="Name"
        required
        maxLength={255}
        value={draft.name}
        error={errorOf('name')}
        onChange={(name) => set({ name })}
      />
      <TextArea
        label="Description"
        rows={2}
        maxLength={500}
        value={draft.description}
        error={errorOf('description')}
        onChange={(description) => set({ description })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Tags"
          hint="Separated by commas; its checks have them too."
          value={draft.tags}
          error={errorOf('tags')}
          onChange={(tags) => set({ tags })}
        />
        <TextField
          label="At the same time"
          hint="How many of its checks run at once when all are run together."
          type="number"
          required
          min={1}
          max={1000}
          value={draft.concurrency}
          error={errorOf('concurrency')}
          onChange={(concurrency) => set({ concurrency })}
        />
      </div>
      <CheckboxField
        label="Active"
        hint="While it is not, none of its checks runs."
        checked={draft.activated}
        onChange={(activated) => set({ activated })}
      />
      <CheckboxField
        label="Muted"
        hint="Runs go on, notifications about all of its checks are held back."
        checked={draft.muted}
        onChange={(muted) => set({ muted })}
      />
    </div>
  )
}

function PlaceFields({ draft, set, errorOf }: PartProps<GroupDraft>) {
  return (
    <fieldset className="space-y-4">
      <legend className="text-[0.9375rem] font-semibold">Where</legend>
      <p className="text-[0.8125rem] text-faint">
        One location chosen here replaces those of the checks. None leaves each check its own.
      </p>
      <LocationPicker draft={draft} set={set} errorOf={errorOf} />
      <SelectField
        label="A check with several locations"
        value={draft.runParallel}
        options={[
          { value: 'each', label: 'runs as it says itself' },
          { value: 'yes', label: 'runs in all of them at once' },
          { value: 'no', label: 'takes the next one in turn' },
        ]}
        error={errorOf('runParallel')}
        onChange={(runParallel) => set({ runParallel })}
      />
    </fieldset>
  )
}

function RetryField({ draft: { retry }, set, errorOf }: PartProps<GroupDraft>) {
  const choice = retry === 'FALLBACK' ? 'FALLBACK' : retryChoice(retry)
  return (
    <div className="space-y-4">
      <SelectField
        label="A failed attempt is tried again"
        value={choice}
        options={[{ value: 'FALLBACK', label: 'as each check says' }, ...retryOptions]}
        error={errorOf('retryStrategy')}
        onChange={(chosen) => set({ retry: chosen === 'FALLBACK' ? chosen : strategyFor(chosen) })}
      />
      {retry !== null && retry !== 'FALLBACK' && choice !== 'AT_ONCE' && (
        <StrategyFields strategy={retry} onChange={(retry) => set({ retry })} />
      )}
    </div>
  )
}

function TellFields({ draft, set, errorOf }: PartProps<GroupDraft>) {
  return (
    <fieldset className="space-y-3">
      <legend className="text-[0.9375rem] font-semibold">Who is told</legend>
      <p className="text-[0.8125rem] text-faint">Channels chosen here hear of all its checks, besides those of each.</p>
      <ChannelPicker chosen={draft.channels} onChange={(channels) => set({ channels })} />
      <SelectField
        label="Trouble becomes an alert"
        value={draft.alerts}
        options={[
          { value: 'each', label: 'as each check says' },
          { value: 'account', label: 'by the account’s settings' },
          { value: 'own', label: 'by settings of the group' },
        ]}
        error={errorOf('useGlobalAlertSettings')}
        onChange={(alerts) => set({ alerts })}
      />
      {draft.alerts === 'own' && (
        <AlertSettingsFields
          settings={draft.alertSettings}
          errorOf={errorOf}
          onChange={(alertSettings) => set({ alertSettings })}
        />
      )}
    </fieldset>
  )
}
