import type { AlertSettings } from '@vedette/schema'
import { DEFAULT_ALERT_SETTINGS } from '@vedette/schema'
import { CheckboxField, SelectField } from '../../../components/field.tsx'
import { GroupSays, groupHint } from '../groups/group-says.tsx'
import type { Overrides } from '../groups/overrides.ts'
import type { ErrorOf, PartProps } from '../kinds/kind-view.ts'
import { ChannelPicker } from './channel-picker.tsx'
import type { SharedDraft } from './shared-draft.ts'

const thresholds = ([1, 2, 3, 4, 5] as const).map((runs) => ({
  value: String(runs),
  label: runs === 1 ? 'the first failed run' : `${runs} failed runs in a row`,
  runs,
}))

export function AlertFields({ draft, set, errorOf, overrides }: PartProps<SharedDraft> & { overrides: Overrides }) {
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
        <AlertThreshold settings={settings} errorOf={errorOf} onChange={(alertSettings) => set({ alertSettings })} />
      )}
      <CheckboxField
        label="Muted"
        hint={groupHint(overrides.muted, 'Runs go on, notifications are held back.')}
        checked={draft.muted}
        onChange={(muted) => set({ muted })}
      />
    </fieldset>
  )
}

interface AlertThresholdProps {
  settings: AlertSettings
  errorOf: ErrorOf
  onChange: (settings: AlertSettings) => void
}

/** Absent where time decides and not the number of runs: that is set through the API. */
export function AlertThreshold({ settings, errorOf, onChange }: AlertThresholdProps) {
  if (settings.escalationType !== 'RUN_BASED') return null
  return (
    <SelectField
      label="Alert after"
      value={String(settings.runBasedEscalation?.failedRunThreshold ?? 1)}
      options={thresholds}
      error={errorOf('alertSettings')}
      onChange={(value) => {
        const chosen = thresholds.find((one) => one.value === value)
        if (chosen) onChange({ ...settings, runBasedEscalation: { failedRunThreshold: chosen.runs } })
      }}
    />
  )
}
