import { DEFAULT_ALERT_SETTINGS } from '@vedette/schema'
import { CheckboxField } from '../../../components/field.tsx'
import { GroupSays, groupHint } from '../groups/group-says.tsx'
import type { Overrides } from '../groups/overrides.ts'
import type { PartProps } from '../kinds/kind-view.ts'
import { AlertSettingsFields } from './alert-settings-fields.tsx'
import { ChannelPicker } from './channel-picker.tsx'
import { ParentPicker } from './parent-picker.tsx'
import type { SharedDraft } from './shared-draft.ts'

interface AlertFieldsProps extends PartProps<SharedDraft> {
  overrides: Overrides
  checkId: string | null
}

export function AlertFields({ draft, set, errorOf, overrides, checkId }: AlertFieldsProps) {
  const settings = draft.alertSettings ?? DEFAULT_ALERT_SETTINGS
  return (
    <fieldset className="space-y-3">
      <legend className="mb-3 text-[0.9375rem] font-semibold">Who is told</legend>
      {overrides.channels !== null && (
        <p>
          <GroupSays text={overrides.channels} />
        </p>
      )}
      <ChannelPicker chosen={draft.channels} onChange={(channels) => set({ channels })} />
      <CheckboxField
        label="Use the account’s alert settings"
        hint={groupHint(overrides.alerts, 'When a check in trouble becomes an alert.')}
        checked={draft.useGlobalAlertSettings}
        onChange={(useGlobalAlertSettings) => set({ useGlobalAlertSettings, alertSettings: settings })}
      />
      {!draft.useGlobalAlertSettings && (
        <AlertSettingsFields
          settings={settings}
          errorOf={errorOf}
          onChange={(alertSettings) => set({ alertSettings })}
        />
      )}
      <ParentPicker
        checkId={checkId}
        chosen={draft.dependsOn}
        error={errorOf('dependsOn')}
        onChange={(dependsOn) => set({ dependsOn })}
      />
      <CheckboxField
        label="Muted"
        hint={groupHint(overrides.muted, 'Runs go on, notifications are held back.')}
        checked={draft.muted}
        onChange={(muted) => set({ muted })}
      />
    </fieldset>
  )
}
