import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type AlertSettings, DEFAULT_ALERT_SETTINGS } from '@vedette/schema'
import { channelTitle } from '../../../api/channel-title.ts'
import { channelsQuery } from '../../../api/channels.ts'
import { CheckboxField, SelectField } from '../../../components/field.tsx'
import type { PartProps } from '../kinds/kind-view.ts'
import type { SharedDraft } from './shared-draft.ts'

const thresholds = ([1, 2, 3, 4, 5] as const).map((runs) => ({
  value: String(runs),
  label: runs === 1 ? 'the first failed run' : `${runs} failed runs in a row`,
  runs,
}))

export function AlertFields({ draft, set, errorOf }: PartProps<SharedDraft>) {
  const { data: channels = [] } = useQuery(channelsQuery)
  const settings = draft.alertSettings ?? DEFAULT_ALERT_SETTINGS
  const runBased = settings.escalationType === 'RUN_BASED'
  const change = (changes: Partial<AlertSettings>) => set({ alertSettings: { ...settings, ...changes } })
  return (
    <fieldset className="space-y-3">
      <legend className="mb-3 text-[0.9375rem] font-semibold">Who is told</legend>
      {channels.length === 0 && (
        <p className="text-[0.875rem] text-soft">
          There is no alert channel yet.{' '}
          <Link to="/alerts" className="link">
            Add one
          </Link>
          , and choose it here later.
        </p>
      )}
      {channels.map((channel) => (
        <CheckboxField
          key={channel.id}
          label={channelTitle(channel)}
          hint={channel.type.toLowerCase()}
          checked={draft.channels.includes(channel.id)}
          onChange={(on) =>
            set({
              channels: on ? [...draft.channels, channel.id] : draft.channels.filter((other) => other !== channel.id),
            })
          }
        />
      ))}
      <CheckboxField
        label="Use the account’s alert settings"
        hint="When a check in trouble becomes an alert."
        checked={draft.useGlobalAlertSettings}
        onChange={(useGlobalAlertSettings) => set({ useGlobalAlertSettings, alertSettings: settings })}
      />
      {!draft.useGlobalAlertSettings && runBased && (
        <SelectField
          label="Alert after"
          value={String(settings.runBasedEscalation?.failedRunThreshold ?? 1)}
          options={thresholds}
          error={errorOf('alertSettings')}
          onChange={(value) => {
            const chosen = thresholds.find((one) => one.value === value)
            if (chosen) change({ runBasedEscalation: { failedRunThreshold: chosen.runs } })
          }}
        />
      )}
      <CheckboxField
        label="Muted"
        hint="Runs go on, notifications are held back."
        checked={draft.muted}
        onChange={(muted) => set({ muted })}
      />
    </fieldset>
  )
}
