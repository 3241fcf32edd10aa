import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { refreshGroups } from '../../../api/refresh-groups.ts'
import { saveGroup } from '../../../api/save-group.ts'
import { PageHeader } from '../../../components/page-header.tsx'
import { blankGroup, writeGroup } from './group-draft.ts'
import { GroupForm } from './group-form.tsx'

export default function AddGroupPage() {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return (
    <div className="mx-auto max-w-4xl">
      <PageHeader title="Add a group">
        <p>Its settings go before those of its checks. Whatever is left open stays with each check.</p>
      </PageHeader>
      <GroupForm
        start={blankGroup}
        action="Add the group"
        cancel={
          <Link to="/groups" className="button button-quiet">
            Cancel
          </Link>
        }
        onSubmit={async (draft) => {
          const { id } = await saveGroup(null, writeGroup(draft))
          void refreshGroups(queryClient)
          await navigate({ to: '/groups/$groupId', params: { groupId: String(id) } })
        }}
      />
    </div>
  )
}
