import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AlertChannel } from '@vedette/schema'
import { channelTitle } from '@vedette/schema'
import { useState } from 'react'
import { channelsQuery } from '../../api/channels.ts'
import { useDeleteChannel } from '../../api/delete-channel.ts'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { Empty } from '../../components/empty.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { plural } from '../../components/number.ts'
import { Section } from '../../components/section.tsx'
import { ChannelDialog } from './channel-dialog.tsx'
import { ChannelTestDialog } from './channel-test-dialog.tsx'
import { channelViews, destinationOf } from './channels/index.ts'
import { CheckName } from './check-name.tsx'

type Open = { kind: 'add' } | { kind: 'edit' | 'test' | 'delete'; channel: AlertChannel } | null

export function ChannelsSection() {
  const channels = useQuery(channelsQuery)
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const add = (
    <Button icon="plus" look="primary" onClick={() => setOpen({ kind: 'add' })}>
      Add a channel
    </Button>
  )
  return (
    <Section title="Channels" flush aside={channels.data && channels.data.length > 0 && add}>
      <Loaded query={channels}>
        {(channels) =>
          channels.length === 0 ? (
            <Empty title="Nobody is told yet">
              <p className="mb-4">
                A channel tells people when a check changes its state, for example by calling a chat room’s webhook.
              </p>
              {add}
            </Empty>
          ) : (
            <ul className="divide-y divide-line">
              {channels.map((channel) => (
                <ChannelRow
                  key={channel.id}
                  channel={channel}
                  fallback={channels.find(({ id }) => id === channel.fallbackChannelId) ?? null}
                  onEdit={() => setOpen({ kind: 'edit', channel })}
                  onTest={() => setOpen({ kind: 'test', channel })}
                  onDelete={() => setOpen({ kind: 'delete', channel })}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {open?.kind === 'add' && <ChannelDialog channel={null} onClose={close} />}
      {open?.kind === 'edit' && <ChannelDialog channel={open.channel} onClose={close} />}
      {open?.kind === 'test' && <ChannelTestDialog channel={open.channel} onClose={close} />}
      {open?.kind === 'delete' && <DeleteChannel channel={open.channel} onClose={close} />}
    </Section>
  )
}

interface ChannelRowProps {
  channel: AlertChannel
  fallback: AlertChannel | null
  onEdit: () => void
  onTest: () => void
  onDelete: () => void
}

function ChannelRow({ channel, fallback, onEdit, onTest, onDelete }: ChannelRowProps) {
  const { type, subscriptions, sendFailure, sendDegraded, sendRecovery, autoSubscribe } = channel
  const title = channelTitle(channel)
  const destination = destinationOf(channel)
  const told = [sendFailure && 'failures', sendDegraded && 'degradations', sendRecovery && 'recoveries'].filter(Boolean)
  const checks = subscriptions.flatMap(({ checkId, activated }) => (activated && checkId !== null ? [checkId] : []))
  const groups = subscriptions.filter(({ activated, groupId }) => activated && groupId !== null).length
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
      <div className="min-w-0 flex-1 basis-72">
        <h3 className="font-semibold">
          {title} <span className="text-[0.8125rem] font-normal text-faint">{channelViews[type].label}</span>
        </h3>
        {destination !== null && (
          <p className="truncate font-mono text-[0.8125rem] text-soft" title={destination}>
            {destination}
          </p>
        )}
        <p className="mt-1 text-[0.8125rem] text-faint">
          {told.length === 0 ? 'hears of nothing' : `hears of ${told.join(', ')}`}
          {autoSubscribe && '; new checks subscribe by themselves'}
          {fallback !== null && `; ${channelTitle(fallback)} hears what it does not take`}
        </p>
        <div className="mt-1">
          {groups > 0 && <p className="text-[0.8125rem] text-faint">{plural(groups, 'group')} subscribed</p>}
          {checks.length === 0 && groups === 0 && <p className="text-[0.8125rem] text-warn">No check is subscribed.</p>}
          {checks.length > 0 && (
            <Disclosure summary={`${plural(checks.length, 'check')} subscribed`}>
              <ul className="flex flex-wrap gap-x-4 gap-y-1 text-[0.875rem]">
                {checks.map((checkId) => (
                  <li key={checkId}>
                    <Link to="/checks/$checkId" params={{ checkId }} className="link">
                      <CheckName checkId={checkId} />
                    </Link>
                  </li>
                ))}
              </ul>
            </Disclosure>
          )}
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button icon="bell" onClick={onTest} aria-label={`Send a test to ${title}`}>
          Send a test
        </Button>
        <Button icon="pencil" onClick={onEdit} aria-label={`Edit ${title}`}>
          Edit
        </Button>
        <Button icon="trash" look="danger" onClick={onDelete} aria-label={`Delete ${title}`}>
          Delete
        </Button>
      </div>
    </li>
  )
}

function DeleteChannel({ channel, onClose }: { channel: AlertChannel; onClose: () => void }) {
  const remove = useDeleteChannel()
  return (
    <Confirm
      title="Delete this channel?"
      action="Delete"
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate(channel.id, { onSuccess: onClose })}
    >
      <p>
        Nothing more is sent to <strong className="text-ink">{channelTitle(channel)}</strong>.
      </p>
    </Confirm>
  )
}
