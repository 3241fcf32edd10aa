import { TextField } from '../../../components/field.tsx'
import type { ChannelView } from './channel-view.ts'
import { LabelField } from './label-field.tsx'

export const slackView: ChannelView<'SLACK'> = {
  label: 'Slack',
  blank: { url: '', channel: null },
  destination: ({ url }) => url,
  Fields: ({ config, set, errorOf }) => (
    <div className="space-y-4">
      <TextField
        label="URL of the incoming webhook"
        hint="Whoever knows it can post: it is shown to people with write access only."
        placeholder="https://hooks.slack.com/services/…"
        required
        maxLength={2048}
        inputMode="url"
        value={config.url}
        error={errorOf('config.url')}
        onChange={(url) => set({ url })}
      />
      <LabelField
        label="Channel"
        hint="Such as #operations. Empty means the one that the webhook was made for."
        value={config.channel}
        error={errorOf('config.channel')}
        onChange={(channel) => set({ channel })}
      />
    </div>
  ),
}
