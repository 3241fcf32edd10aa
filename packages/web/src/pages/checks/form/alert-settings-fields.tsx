import type { AlertSettings } from '@vedette/schema'
import { SelectField } from '../../../components/field.tsx'
import type { ErrorOf } from '../kinds/kind-view.ts'

/** A choice of a list, and what it changes of the settings. */
interface Step {
  value: string
  label: string
  changes: Partial<AlertSettings>
}

const afterRuns = ([1, 2, 3, 4, 5] as const).map(
  (failedRunThreshold): Step => ({
    value: `runs-${failedRunThreshold}`,
    label: failedRunThreshold === 1 ? 'the first failed run' : `${failedRunThreshold} failed runs in a row`,
    changes: { escalationType: 'RUN_BASED', runBasedEscalation: { failedRunThreshold } },
  }),
)
const afterMinutes = ([5, 10, 15, 30] as const).map(
  (minutesFailingThreshold): Step => ({
    value: `minutes-${minutesFailingThreshold}`,
    label: `${minutesFailingThreshold} minutes of trouble`,
    changes: { escalationType: 'TIME_BASED', timeBasedEscalation: { minutesFailingThreshold } },
  }),
)
const thresholds = [...afterRuns, ...afterMinutes]

const ENDLESS = 100_000
const amounts = [0, 1, 2, 3, 4, 5, ENDLESS] as const
const intervals = [1, 2, 3, 4, 5, 10, 15, 30] as const
const amountWords = (amount: number) =>
  amount === 0 ? 'never' : amount === ENDLESS ? 'without end' : `up to ${amount} ×`

interface AlertSettingsFieldsProps {
  settings: AlertSettings
  errorOf?: ErrorOf
  onChange: (settings: AlertSettings) => void
}

/** When trouble becomes an alert, and how often people are reminded of it. */
export function AlertSettingsFields({ settings, errorOf, onChange }: AlertSettingsFieldsProps) {
  const { escalationType, runBasedEscalation, timeBasedEscalation } = settings
  const { amount = 0, interval = 5 } = settings.reminders ?? {}
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <SelectField
        label="Alert after"
        value={
          escalationType === 'TIME_BASED'
            ? `minutes-${timeBasedEscalation?.minutesFailingThreshold ?? 5}`
            : `runs-${runBasedEscalation?.failedRunThreshold ?? 1}`
        }
        options={thresholds}
        error={errorOf?.('alertSettings')}
        onChange={(value) => onChange({ ...settings, ...thresholds.find((one) => one.value === value)?.changes })}
      />
      <SelectField
        label="Remind while it lasts"
        value={String(amount)}
        options={amounts.map((amount) => ({ value: String(amount), label: amountWords(amount) }))}
        onChange={(value) => {
          const chosen = amounts.find((amount) => String(amount) === value)
          if (chosen !== undefined) onChange({ ...settings, reminders: { amount: chosen, interval } })
        }}
      />
      {amount > 0 && (
        <SelectField
          label="Every"
          value={String(interval)}
          options={intervals.map((minutes) => ({
            value: String(minutes),
            label: minutes === 1 ? 'minute' : `${minutes} minutes`,
          }))}
          onChange={(value) => {
            const chosen = intervals.find((minutes) => String(minutes) === value)
            if (chosen !== undefined) onChange({ ...settings, reminders: { amount, interval: chosen } })
          }}
        />
      )}
    </div>
  )
}
