import { useQuery } from '@tanstack/react-query'
import type { ApiCheck } from '@vedette/schema'
import { channelTitle } from '../../../api/channel-title.ts'
import { channelsQuery } from '../../../api/channels.ts'
import { locationName } from '../../../api/location-name.ts'
import { formatMs, plural } from '../../../components/number.ts'
import { Section } from '../../../components/section.tsx'
import { retrySentence } from '../retry.ts'

/** What was set up, in a few words. */
export function SettingsSection({ check }: { check: ApiCheck }) {
  const { data: channels = [] } = useQuery(channelsQuery)
  const told = check.alertChannelSubscriptions
    .filter(({ activated }) => activated)
    .map(({ alertChannelId }) => {
      const channel = channels.find(({ id }) => id === alertChannelId)
      return channel === undefined ? `#${alertChannelId}` : channelTitle(channel)
    })
  const places = [...check.locations.map(locationName), ...check.privateLocations]
  const facts = [
    {
      name: 'Locations',
      value: `${places.join(', ') || 'none'}${places.length > 1 ? (check.runParallel ? ', all at once' : ', in turn') : ''}`,
    },
    { name: 'Assertions', value: assertionWords(check.request.assertions?.length ?? 0) },
    { name: 'Degraded above', value: limitWords(check.degradedResponseTime) },
    { name: 'Failed above', value: limitWords(check.maxResponseTime) },
    {
      name: 'Tried again',
      value: retrySentence(check.retryStrategy ?? (check.doubleCheck ? undefined : null)),
    },
    { name: 'Told', value: told.join(', ') || 'nobody' },
    { name: 'Tags', value: check.tags.join(', ') || 'none' },
  ]
  return (
    <Section title="Settings">
      <dl className="grid gap-x-8 gap-y-3 text-[0.875rem] sm:grid-cols-2 lg:grid-cols-3">
        {facts.map(({ name, value }) => (
          <div key={name} className="min-w-0">
            <dt className="text-[0.8125rem] text-faint">{name}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

const limitWords = (ms: number | null): string =>
  ms === null ? 'off' : ms % 1000 === 0 ? `${ms / 1000} s` : formatMs(ms)

const assertionWords = (count: number): string => (count === 0 ? 'none' : plural(count, 'assertion'))
