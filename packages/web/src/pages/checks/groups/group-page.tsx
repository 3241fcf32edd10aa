import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { groupQuery } from '../../../api/groups.ts'
import { Icon } from '../../../components/icon.tsx'
import { Notice } from '../../../components/notice.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { LoadedOrGone } from '../loaded-or-gone.tsx'
import { GroupActions } from './group-actions.tsx'
import { GroupPills } from './group-pills.tsx'
import { GroupSettingsSection } from './group-settings-section.tsx'
import { MembersSection } from './members-section.tsx'

export default function GroupPage({ groupId }: { groupId: number }) {
  const group = useQuery(groupQuery(groupId))
  return (
    <>
      <Link to="/groups" className="link mb-2 inline-flex items-center gap-1 text-[0.875rem]">
        <Icon name="back" size={14} /> Groups
      </Link>
      <LoadedOrGone query={group} noun="group">
        {(group) => (
          <>
            <PageHeader title={group.name} actions={<GroupActions group={group} />}>
              <div className="flex flex-wrap items-center gap-2 empty:hidden">
                <GroupPills group={group} />
              </div>
              {group.description && <p className="mt-1">{group.description}</p>}
            </PageHeader>
            {group.version === 1 && (
              <Notice tone="idle">
                A group of the older kind: its settings always go before those of its checks, also where it says
                nothing.
              </Notice>
            )}
            <MembersSection group={group} />
            <GroupSettingsSection group={group} />
          </>
        )}
      </LoadedOrGone>
    </>
  )
}
