import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CheckGroup } from '@vedette/schema'
import { groupsQuery } from '../../../api/groups.ts'
import { Empty } from '../../../components/empty.tsx'
import { Icon } from '../../../components/icon.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { plural } from '../../../components/number.ts'
import { PageHeader } from '../../../components/page-header.tsx'
import { GroupPills } from './group-pills.tsx'
import { overridesOf } from './overrides.ts'

export default function GroupsPage() {
  const groups = useQuery(groupsQuery)
  const add = (
    <Link to="/groups/new" className="button button-primary">
      <Icon name="plus" /> Add a group
    </Link>
  )
  return (
    <>
      <Link to="/" className="link mb-2 inline-flex items-center gap-1 text-[0.875rem]">
        <Icon name="back" size={14} /> Checks
      </Link>
      <PageHeader title="Groups" actions={groups.data && groups.data.length > 0 && add} />
      <Loaded query={groups}>
        {(groups) =>
          groups.length === 0 ? (
            <div className="card">
              <Empty title="No group yet">
                <p className="mb-4">
                  A group gives its checks what they have in common: locations, channels, headers, a switch for all.
                </p>
                {add}
              </Empty>
            </div>
          ) : (
            <ul aria-label="Groups" className="card divide-y divide-line">
              {groups.map((group) => (
                <GroupRow key={group.id} group={group} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  )
}

function GroupRow({ group }: { group: CheckGroup }) {
  const { id, name, description, checks, tags } = group
  const decided = decidedBy(group)
  return (
    <li className="px-4 py-3.5 hover:bg-sunken/40 sm:px-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="min-w-0 text-[0.9375rem] font-semibold break-words">
          <Link to="/groups/$groupId" params={{ groupId: String(id) }} className="hover:underline">
            {name}
          </Link>
        </h2>
        <GroupPills group={group} />
        <span className="ml-auto text-[0.875rem] text-soft">{plural(checks.length, 'check')}</span>
      </div>
      {description !== null && <p className="mt-0.5 max-w-[68ch] text-[0.875rem] text-soft">{description}</p>}
      <p className="mt-0.5 text-[0.8125rem] text-faint">
        {decided.length === 0 ? 'Leaves all settings to its checks' : `Decides ${decided.join(', ')}`}
        {tags.length > 0 && `; tags ${tags.join(', ')}`}
      </p>
    </li>
  )
}

/** What the checks of the group do not decide themselves. */
function decidedBy(group: CheckGroup): string[] {
  const { locations, runParallel, retry, alerts, channels, request, before, after } = overridesOf(group)
  return [
    ...(locations === null ? [] : ['locations']),
    ...(runParallel === null ? [] : ['the order of locations']),
    ...(retry === null ? [] : ['retries']),
    ...(alerts === null ? [] : ['alerts']),
    ...(channels === null ? [] : ['channels']),
    ...(request === null ? [] : ['requests']),
    ...(group.environmentVariables.length === 0 ? [] : ['variables']),
    ...(before === null && after === null ? [] : ['scripts']),
  ]
}
