import { HEARTBEAT_UNITS, type HeartbeatUnit } from '@vedette/schema'
import { SelectField, TextField } from '../../../../components/field.tsx'
import type { PartProps } from '../kind-view.ts'
import type { HeartbeatDraft } from './draft.ts'

const units = HEARTBEAT_UNITS.map((value) => ({ value, label: value }))
const ways = [
  { value: 'period', label: 'every so often' },
  { value: 'schedule', label: 'at the times of a cron schedule' },
] as const

export function HeartbeatEssential({ draft, set, errorOf }: PartProps<HeartbeatDraft>) {
  return (
    <fieldset className="space-y-4">
      <legend className="sr-only">When pings are expected</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Pings are expected"
          value={draft.expected}
          options={ways}
          onChange={(expected) => set({ expected })}
        />
        {draft.expected === 'period' ? (
          <SpanFields
            label="Every"
            hint="30 seconds to 365 days, counted from the ping before."
            count={draft.period}
            unit={draft.periodUnit}
            error={errorOf('heartbeat.period')}
            onChange={(period, periodUnit) => set({ period, periodUnit })}
          />
        ) : (
          <div className="grid grid-cols-2 gap-4">
            <TextField
              label="Cron expression"
              hint="Minute, hour, day, month, weekday."
              required
              maxLength={200}
              spellCheck={false}
              value={draft.cron}
              error={errorOf('heartbeat.schedule.cron')}
              onChange={(cron) => set({ cron })}
            />
            <TextField
              label="Time zone"
              hint="Such as Europe/Berlin."
              required
              maxLength={60}
              spellCheck={false}
              value={draft.timezone}
              error={errorOf('heartbeat.schedule.timezone')}
              onChange={(timezone) => set({ timezone })}
            />
          </div>
        )}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <SpanFields
          label="Grace"
          hint="How long to wait for a late ping before the check fails."
          count={draft.grace}
          unit={draft.graceUnit}
          error={errorOf('heartbeat.grace')}
          onChange={(grace, graceUnit) => set({ grace, graceUnit })}
        />
      </div>
    </fieldset>
  )
}

interface SpanFieldsProps {
  label: string
  hint: string
  count: string
  unit: HeartbeatUnit
  error: string | undefined
  onChange: (count: string, unit: HeartbeatUnit) => void
}

function SpanFields({ label, hint, count, unit, error, onChange }: SpanFieldsProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_8rem] gap-2">
      <TextField
        label={label}
        hint={hint}
        type="number"
        min={0}
        step="any"
        required
        value={count}
        error={error}
        onChange={(count) => onChange(count, unit)}
      />
      <SelectField label={`${label}: unit`} value={unit} options={units} onChange={(unit) => onChange(count, unit)} />
    </div>
  )
}
