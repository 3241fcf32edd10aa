import { TextField } from '../../../components/field.tsx'
import type { ChannelView } from './channel-view.ts'
import { LabelField } from './label-field.tsx'

export const pagerdutyView: ChannelView<'PAGERDUTY'> = {
  label: 'PagerDuty',
  blank: { account: null, serviceName: null, serviceKey: '' },
  destination: ({ serviceName, account }) => (serviceName && account ? account : null),
  Fields: ({ config, set, errorOf }) => (
    <div className="space-y-4">
      <TextField
        label="Integration key"
        hint="Of an integration with the Events API. Shown to people with write access only."
        type="password"
        autoComplete="new-password"
        required
        maxLength={1024}
        value={config.serviceKey}
        error={errorOf('config.serviceKey')}
        onChange={(serviceKey) => set({ serviceKey })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <LabelField
          label="Service"
          hint="What you call it; nothing depends on it."
          value={config.serviceName}
          error={errorOf('config.serviceName')}
          onChange={(serviceName) => set({ serviceName })}
        />
        <LabelField
          label="Account"
          value={config.account}
          error={errorOf('config.account')}
          onChange={(account) => set({ account })}
        />
      </div>
    </div>
  ),
}
