import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { checkQuery } from '../../../api/check.ts'
import { keys } from '../../../api/keys.ts'
import { Loaded } from '../../../components/loaded.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { kinds } from '../kinds/index.ts'
import { CheckForm } from './check-form.tsx'

export default function EditCheckPage({ checkId }: { checkId: string }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  // What is being edited must not change under the hands of whoever edits it.
  const check = useQuery({ ...checkQuery(checkId), refetchOnWindowFocus: false, refetchOnReconnect: false })
  const toCheck = { to: '/checks/$checkId', params: { checkId } } as const

  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader title={check.data ? `Edit ${check.data.name}` : 'Edit a check'} />
      <Loaded query={check}>
        {(check) => (
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
                queryClient.invalidateQueries({ queryKey: keys.overview(checkId) }),
                queryClient.invalidateQueries({ queryKey: keys.overviews }),
              ])
              await navigate(toCheck)
            }}
          />
        )}
      </Loaded>
    </div>
  )
}
