import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { DATA_CENTERS, type DataCenter, SCRIPT_KINDS } from '@vedette/schema'
import { channelsQuery } from '../../../api/channels.ts'
import { locationsQuery } from '../../../api/locations.ts'
import { refreshGroups } from '../../../api/refresh-groups.ts'
import { runCheck } from '../../../api/run-check.ts'
import { SelectField } from '../../../components/field.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { forms } from '../kinds/index.ts'
import type { FormView } from '../kinds/kind-view.ts'
import { FORM_KINDS, type FormKind, runnableKind } from '../kinds/kind-words.ts'
import { CheckForm } from './check-form.tsx'
import { blankShared, type SharedDraft } from './shared-draft.ts'

interface AddCheckPageProps {
  kind: FormKind
  onKind: (kind: FormKind) => void
  url: string
  /** The group in which the check is added. */
  groupId: number | null
}

export default function AddCheckPage({ kind, onKind, url, groupId }: AddCheckPageProps) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const locations = useQuery(locationsQuery)
  const channels = useQuery(channelsQuery)

  const runs = runnableKind(kind) !== undefined
  return (
    <div className="mx-auto max-w-4xl">
      <PageHeader title="Add a check">
        <p>{runs ? 'The first run starts at once.' : 'The first ping starts the clock.'}</p>
      </PageHeader>
      <SelectField
        className="mb-4"
        label="Kind"
        hint={forms[kind].about}
        value={kind}
        options={FORM_KINDS.map((value) => ({ value, label: forms[value].label }))}
        onChange={onKind}
      />
      <Loaded query={channels}>
        {(channels) => (
          <Loaded query={locations}>
            {(locations) => {
              const shared: SharedDraft = {
                ...blankShared(locations, isDataCenter),
                frequency: isScript(kind) ? '10' : '1',
                groupId,
                channels: channels.filter(({ autoSubscribe }) => autoSubscribe).map(({ id }) => id),
              }
              return (
                <NewCheckForm
                  key={kind}
                  kind={kind}
                  shared={shared}
                  address={url}
                  onSaved={async (checkId, shared) => {
                    void refreshGroups(queryClient)
                    // The check exists now; should the first run not start, its page says so and has a button for it.
                    if (runs && shared.activated) await runCheck(checkId).catch(() => null)
                    await navigate({ to: '/checks/$checkId', params: { checkId } })
                  }}
                />
              )
            }}
          </Loaded>
        )}
      </Loaded>
    </div>
  )
}

interface NewCheckFormProps<K extends FormKind> {
  kind: K
  shared: SharedDraft
  address: string
  onSaved: (checkId: string, shared: SharedDraft) => Promise<void>
}

function NewCheckForm<K extends FormKind>({ kind, shared, address, onSaved }: NewCheckFormProps<K>) {
  const view: FormView<K> = forms[kind]
  return (
    <CheckForm
      kind={kind}
      checkId={null}
      shared={shared}
      own={view.blank(address)}
      action="Add the check"
      cancel={
        <Link to="/" className="button button-quiet">
          Cancel
        </Link>
      }
      onSubmit={async (shared, own) => onSaved(await view.save(null, shared, own), shared)}
    />
  )
}

/** A script costs more than a request. */
const isScript = (kind: FormKind): boolean => SCRIPT_KINDS.some((one) => one === kind)

const isDataCenter = (region: string): region is DataCenter => DATA_CENTERS.some((one) => one === region)
