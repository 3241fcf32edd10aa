import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { checkQuery } from '../../../api/check.ts'
import { keys } from '../../../api/keys.ts'
import { refreshGroups } from '../../../api/refresh-groups.ts'
import { PageHeader } from '../../../components/page-header.tsx'
import { kinds } from '../kinds/index.ts'
import { LoadedOrGone } from '../loaded-or-gone.tsx'
import { CheckForm } from './check-form.tsx'

export default function EditCheckPage({ checkId }: { checkId: string }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  // What is being edited must not change under the hands of whoever edits it.
  const check = useQuery({ ...checkQuery(checkId), refetchOnWindowFocus: false, refetchOnReconnect: false })
  const toCheck = { to: '/checks/$checkId', params: { checkId } } as const

  return (
    <div className="mx-auto max-w-4xl">
      {check.data && <PageHeader title={`Edit ${check.data.name}`} />}
      <LoadedOrGone query={check} noun="check">
        {(check) =>
          check.checkType === 'API' ? (
            <CheckForm
              kind={check.checkType}
              {...kinds[check.checkType].drafts(check)}
              action="Save"
              open
              cancel={
                <Link {...toCheck} className="button button-quiet">
                  Cancel
                </Link>
              }
              onSubmit={async (shared, own) => {
                await kinds[check.checkType].save(checkId, shared, own)
                await Promise.all([
                  queryClient.invalidateQueries({ queryKey: keys.check(checkId) }),
                  refreshGroups(queryClient),
                ])
                await navigate(toCheck)
              }}
            />
          ) : (
            <p className="text-soft">Checks of this kind are changed through the API.</p>
          )
        }
      </LoadedOrGone>
    </div>
  )
}
