import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Check } from '@vedette/schema'
import { editedCheckQuery } from '../../../api/check.ts'
import { keys } from '../../../api/keys.ts'
import { refreshGroups } from '../../../api/refresh-groups.ts'
import { PageHeader } from '../../../components/page-header.tsx'
import { forms } from '../kinds/index.ts'
import type { FormView, KindChecks } from '../kinds/kind-view.ts'
import { type FormKind, formKind } from '../kinds/kind-words.ts'
import { LoadedOrGone } from '../loaded-or-gone.tsx'
import { CheckForm } from './check-form.tsx'

interface StoredCheckFormProps<K extends FormKind> {
  kind: K
  check: KindChecks[K]
  onSaved: () => Promise<void>
}

function StoredCheckForm<K extends FormKind>({ kind, check, onSaved }: StoredCheckFormProps<K>) {
  const view: FormView<K> = forms[kind]
  return (
    <CheckForm
      kind={kind}
      checkId={check.id}
      {...view.drafts(check)}
      action="Save"
      open
      cancel={
        <Link to="/checks/$checkId" params={{ checkId: check.id }} className="button button-quiet">
          Cancel
        </Link>
      }
      onSubmit={async (shared, own) => {
        await view.save(check.id, shared, own)
        await onSaved()
      }}
    />
  )
}

const hasForm = (check: Check): check is Extract<Check, { checkType: FormKind }> =>
  formKind(check.checkType) !== undefined

export default function EditCheckPage({ checkId }: { checkId: string }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  // What is being edited must not change under the hands of whoever edits it.
  const check = useQuery({ ...editedCheckQuery(checkId), refetchOnWindowFocus: false, refetchOnReconnect: false })
  const toCheck = { to: '/checks/$checkId', params: { checkId } } as const

  return (
    <div className="mx-auto max-w-4xl">
      {check.data && <PageHeader title={`Edit ${check.data.name}`} />}
      <LoadedOrGone query={check} noun="check">
        {(check) => {
          const onSaved = async () => {
            await Promise.all([
              queryClient.invalidateQueries({ queryKey: keys.check(checkId) }),
              refreshGroups(queryClient),
            ])
            await navigate(toCheck)
          }
          const kind = formKind(check.checkType)
          return kind === undefined || !hasForm(check) ? (
            <p className="text-soft">Checks of this kind are changed through the API.</p>
          ) : (
            <StoredCheckForm kind={kind} check={check} onSaved={onSaved} />
          )
        }}
      </LoadedOrGone>
    </div>
  )
}
