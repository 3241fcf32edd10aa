import { useQuery } from '@tanstack/react-query'
import {
  type AlertChannel,
  CHANNEL_TYPES,
  type ChannelConfig,
  type ChannelType,
  channelSetUp,
  channelTitle,
} from '@vedette/schema'
import { type FormEvent, useState } from 'react'
import { channelsQuery } from '../../api/channels.ts'
import { Refusal } from '../../api/refusal.ts'
import { useSaveChannel } from '../../api/save-channel.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { CheckboxField, SelectField } from '../../components/field.tsx'
import { Notice } from '../../components/notice.tsx'
import type { ChannelView } from './channels/channel-view.ts'
import { channelViews } from './channels/index.ts'

type Rules = Required<
  Pick<
    AlertChannel,
    | 'sendFailure'
    | 'sendDegraded'
    | 'sendRecovery'
    | 'autoSubscribe'
    | 'sslExpiry'
    | 'sslExpiryThreshold'
    | 'fallbackChannelId'
  >
>

interface ChannelDialogProps {
  /** Null adds a channel. */
  channel: AlertChannel | null
  onClose: () => void
}

const RULES: Rules = {
  sendFailure: true,
  sendDegraded: false,
  sendRecovery: true,
  autoSubscribe: true,
  sslExpiry: false,
  sslExpiryThreshold: 30,
  fallbackChannelId: null,
}

export function ChannelDialog({ channel, onClose }: ChannelDialogProps) {
  const [type, setType] = useState<ChannelType>(channel?.type ?? 'WEBHOOK')
  return (
    <Dialog title={channel === null ? 'Add a channel' : `Edit ${channelTitle(channel)}`} onClose={onClose} size="wide">
      {channel === null && (
        <SelectField
          label="Type"
          className="mb-4"
          value={type}
          options={CHANNEL_TYPES.map((value) => ({ value, label: channelViews[value].label }))}
          onChange={setType}
        />
      )}
      <ChannelForm
        key={type}
        type={type}
        channel={channel}
        config={channel?.config ?? channelViews[type].blank}
        onClose={onClose}
      />
    </Dialog>
  )
}

interface ChannelFormProps<T extends ChannelType> extends ChannelDialogProps {
  type: T
  config: ChannelConfig<T>
}

function ChannelForm<T extends ChannelType>({ type, channel, onClose, ...start }: ChannelFormProps<T>) {
  const view: ChannelView<T> = channelViews[type]
  const save = useSaveChannel()
  const [config, setConfig] = useState(start.config)
  const [rules, setRules] = useState<Rules>(() =>
    channel === null
      ? RULES
      : {
          sendFailure: channel.sendFailure,
          sendDegraded: channel.sendDegraded,
          sendRecovery: channel.sendRecovery,
          autoSubscribe: channel.autoSubscribe,
          sslExpiry: channel.sslExpiry,
          sslExpiryThreshold: channel.sslExpiryThreshold,
          fallbackChannelId: channel.fallbackChannelId,
        },
  )
  const set = (changes: Partial<Rules>) => setRules((old) => ({ ...old, ...changes }))
  const refused = save.error instanceof Refusal ? save.error : null
  const errorOf = (key: string) => (refused?.keys.includes(key) ? refused.message : undefined)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(
      { id: channel?.id ?? null, body: { ...channelSetUp<ChannelType>(type, config), ...rules } },
      { onSuccess: onClose },
    )
  }
  return (
    <form onSubmit={submit} className="space-y-5">
      <view.Fields config={config} set={(changes) => setConfig((old) => ({ ...old, ...changes }))} errorOf={errorOf} />
      <fieldset className="grid gap-3 sm:grid-cols-2">
        <legend className="mb-2 text-[0.8125rem] font-semibold">What it hears of</legend>
        <CheckboxField label="Failures" checked={rules.sendFailure} onChange={(sendFailure) => set({ sendFailure })} />
        <CheckboxField
          label="Recoveries"
          checked={rules.sendRecovery}
          onChange={(sendRecovery) => set({ sendRecovery })}
        />
        <CheckboxField
          label="Degradations"
          checked={rules.sendDegraded}
          onChange={(sendDegraded) => set({ sendDegraded })}
        />
        <CheckboxField
          label="Every new check"
          hint="Subscribes new checks and groups by itself."
          checked={rules.autoSubscribe}
          onChange={(autoSubscribe) => set({ autoSubscribe })}
        />
      </fieldset>
      <FallbackField
        own={channel?.id ?? null}
        chosen={rules.fallbackChannelId}
        error={errorOf('fallbackChannelId')}
        onChange={(fallbackChannelId) => set({ fallbackChannelId })}
      />
      {save.error && <Notice tone="bad">{save.error.message}</Notice>}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" busy={save.isPending}>
          {channel === null ? 'Add the channel' : 'Save'}
        </Button>
      </div>
    </form>
  )
}

interface FallbackFieldProps {
  /** The channel itself is none; null while it is new. */
  own: number | null
  chosen: number | null
  error: string | undefined
  onChange: (channelId: number | null) => void
}

function FallbackField({ own, chosen, error, onChange }: FallbackFieldProps) {
  const { data: channels = [] } = useQuery(channelsQuery)
  const others = channels.filter(({ id }) => id !== own)
  return (
    <SelectField
      label="When it cannot be reached"
      hint="Gets what this channel has not taken within two minutes, also without subscriptions of its own."
      error={error}
      value={chosen === null ? '' : String(chosen)}
      options={[
        { value: '', label: 'Tell nobody else' },
        ...others.map((other) => ({
          value: String(other.id),
          label: `${channelTitle(other)}, ${channelViews[other.type].label}`,
        })),
      ]}
      onChange={(value) => onChange(value === '' ? null : Number(value))}
    />
  )
}
