import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { groupQuery } from '../../../api/groups.ts'
import { refreshGroups } from '../../../api/refresh-groups.ts'
import { saveGroup } from '../../../api/save-group.ts'
import { Notice } from '../../../components/notice.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { LoadedOrGone } from '../loaded-or-gone.tsx'
import { draftGroup, writeGroup } from './group-draft.ts'
import { GroupForm } from './group-form.tsx'

export default function EditGroupPage({ groupId }: { groupId: number }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  // What is being edited must not change under the hands of whoever edits it.
  const group = useQuery({ ...groupQuery(groupId), refetchOnWindowFocus: false, refetchOnReconnect: false })
  const toGroup = { to: '/groups/$groupId', params: { groupId: String(groupId) } } as const
  return (
    <div className="mx-auto max-w-4xl">
      {group.data && <PageHeader title={`Edit ${group.data.name}`} />}
      <LoadedOrGone query={group} noun="group">
        {(group) => (
          <>
            {group.version === 1 && (
              <Notice tone="warn">
                This group is of the older kind, which always overrides its checks. Once saved here, it overrides them
                only where it says something.
              </Notice>
            )}
            <GroupForm
              group={group}
              start={draftGroup(group)}
              action="Save"
              cancel={
                <Link {...toGroup} className="button button-quiet">
                  Cancel
                </Link>
              }
              onSubmit={async (draft) => {
                await saveGroup(groupId, writeGroup(draft))
                await refreshGroups(queryClient)
                await navigate(toGroup)
              }}
            />
          </>
        )}
      </LoadedOrGone>
    </div>
  )
}
