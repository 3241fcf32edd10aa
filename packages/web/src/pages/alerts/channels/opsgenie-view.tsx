import { OPSGENIE_PRIORITIES, OPSGENIE_REGIONS } from '@vedette/schema'
import { SelectField, TextField } from '../../../components/field.tsx'
import type { ChannelView } from './channel-view.ts'

export const opsgenieView: ChannelView<'OPSGENIE'> = {
  label: 'Opsgenie',
  blank: { name: '', apiKey: '', region: 'US', priority: 'P3' },
  destination: ({ region, priority }) => `${priority} in ${region}`,
  Fields: ({ config, set, errorOf }) => (
    <div className="space-y-4">
      <TextField
        label="Name"
        required
        maxLength={255}
        value={config.name}
        error={errorOf('config.name')}
        onChange={(name) => set({ name })}
      />
      <TextField
        label="API key"
        hint="Shown to people with write access only."
        type="password"
        autoComplete="new-password"
        required
        maxLength={1024}
        value={config.apiKey}
        error={errorOf('config.apiKey')}
        onChange={(apiKey) => set({ apiKey })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Region"
          hint="Where your Opsgenie account is."
          value={config.region}
          options={OPSGENIE_REGIONS.map((value) => ({ value, label: value }))}
          error={errorOf('config.region')}
          onChange={(region) => set({ region })}
        />
        <SelectField
          label="Priority"
          hint="P1 is the most urgent."
          value={config.priority}
          options={OPSGENIE_PRIORITIES.map((value) => ({ value, label: value }))}
          error={errorOf('config.priority')}
          onChange={(priority) => set({ priority })}
        />
      </div>
    </div>
  ),
}
