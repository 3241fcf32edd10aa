import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Check, CheckGroup, EffectiveSettings } from '@vedette/schema'
import { checkNamesQuery } from '../../../api/check-names.ts'
import { effectiveQuery } from '../../../api/effective.ts'
import { groupQuery } from '../../../api/groups.ts'
import { Loaded } from '../../../components/loaded.tsx'
import { Section } from '../../../components/section.tsx'
import { useChannelNames } from '../channel-names.ts'
import { groupOf } from '../groups/group-of.ts'
import { type Fact, factsOf } from './facts.ts'
import { Origin } from './origin.tsx'
import { subscribedTo } from './subscribed-to.ts'

/** The settings by which the check runs, each with where it comes from. */
export function SettingsSection({ check }: { check: Check }) {
  const settings = useQuery(effectiveQuery(check.id))
  const groupId = groupOf(check)
  const { data: group } = useQuery({ ...groupQuery(groupId ?? 0), enabled: groupId !== null })
  return (
    <Section
      title="Settings"
      aside={
        group && (
          <span>
            in the group{' '}
            <Link to="/groups/$groupId" params={{ groupId: String(group.id) }} className="link">
              {group.name}
            </Link>
          </span>
        )
      }
    >
      <Loaded query={settings}>{(settings) => <Facts check={check} settings={settings} group={group} />}</Loaded>
    </Section>
  )
}

interface FactsProps {
  check: Check
  settings: EffectiveSettings
  group: CheckGroup | undefined
}

function Facts({ check, settings, group }: FactsProps) {
  const { ids, from } = subscribedTo(check.alertChannelSubscriptions, group?.alertChannelSubscriptions ?? [])
  const told = useChannelNames(ids)
  const { value: parents, from: parentsFrom } = settings.dependsOn
  const { data: names } = useQuery({ ...checkNamesQuery, enabled: parents.length > 0 })
  const parentNames = parents.map((id) => names?.get(id) ?? '…').join(', ')
  const facts: Fact[] = [
    ...factsOf(check, settings, group),
    { name: 'Told', value: told, from },
    ...(parents.length === 0 ? [] : [{ name: 'Depends on', value: parentNames, from: parentsFrom }]),
  ]
  return (
    <dl className="grid gap-x-8 gap-y-3 text-[0.875rem] sm:grid-cols-2 lg:grid-cols-3">
      {facts.map(({ name, value, from }) => (
        <div key={name} className="min-w-0">
          <dt className="text-[0.8125rem] text-faint">{name}</dt>
          <dd className="break-words">
            {value} <Origin from={from} group={group} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
