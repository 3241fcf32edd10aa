import type { CheckGroup } from '@vedette/schema'
import { locationName } from '../../../api/location-name.ts'
import { Section } from '../../../components/section.tsx'
import { alertWords } from '../alert-words.ts'
import { useChannelNames } from '../channel-names.ts'
import { requestWords } from '../request-words.ts'
import { retrySentence } from '../retry.ts'
import { scriptWords } from '../scripts/scripts.ts'
import { draftGroup } from './group-draft.ts'

const EACH = 'as each check says'

/** What the group decides, and what it leaves to its checks. */
export function GroupSettingsSection({ group }: { group: CheckGroup }) {
  const draft = draftGroup(group)
  const places = [...draft.locations.map(locationName), ...draft.privateLocations]
  const told = useChannelNames(draft.channels, 'nobody besides')
  const facts = [
    { name: 'Locations', value: places.join(', ') || EACH },
    { name: 'Several locations', value: { each: EACH, yes: 'all at once', no: 'in turn' }[draft.runParallel] },
    { name: 'Tried again', value: draft.retry === 'FALLBACK' ? EACH : retrySentence(draft.retry) },
    {
      name: 'Alert',
      value: { each: EACH, account: 'by the account’s settings', own: alertWords(draft.alertSettings) }[draft.alerts],
    },
    { name: 'Told', value: told },
    { name: 'Adds the tags', value: draft.tags || 'none' },
    { name: 'Base URL', value: draft.baseUrl || 'none' },
    {
      name: 'Adds to requests',
      value:
        [requestWords(group.apiCheckDefaults), draft.username === '' ? '' : 'basic auth'].filter(Boolean).join(', ') ||
        'nothing',
    },
    { name: 'Variables', value: group.environmentVariables.map(({ key }) => key).join(', ') || 'none' },
    { name: 'Scripts', value: scriptWords([group]) },
    { name: 'At the same time', value: `${group.concurrency} when all are run together` },
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
