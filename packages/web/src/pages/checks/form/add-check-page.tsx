import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { DATA_CENTERS, type DataCenter } from '@vedette/schema'
import { channelsQuery } from '../../../api/channels.ts'
import { locationsQuery } from '../../../api/locations.ts'
import { refreshGroups } from '../../../api/refresh-groups.ts'
import { runCheck } from '../../../api/run-check.ts'
import { Loaded } from '../../../components/loaded.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { kinds } from '../kinds/index.ts'
import { CheckForm } from './check-form.tsx'
import { blankShared, type SharedDraft } from './shared-draft.ts'

const KIND = 'API'

interface AddCheckPageProps {
  url: string
  /** The group in which the check is added. */
  groupId: number | null
}

export default function AddCheckPage({ url, groupId }: AddCheckPageProps) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const locations = useQuery(locationsQuery)
  const channels = useQuery(channelsQuery)

  return (
    <div className="mx-auto max-w-4xl">
      <PageHeader title="Add a check">
        <p>The first run starts at once.</p>
      </PageHeader>
      <Loaded query={channels}>
        {(channels) => (
          <Loaded query={locations}>
            {(locations) => {
              const shared: SharedDraft = {
                ...blankShared(locations, isDataCenter),
                groupId,
                channels: channels.filter(({ autoSubscribe }) => autoSubscribe).map(({ id }) => id),
              }
              return (
                <CheckForm
                  kind={KIND}
                  shared={shared}
                  own={kinds[KIND].blank(url)}
                  action="Add the check"
                  cancel={
                    <Link to="/" className="button button-quiet">
                      Cancel
                    </Link>
                  }
                  onSubmit={async (shared, own) => {
                    const checkId = await kinds[KIND].save(null, shared, own)
                    void refreshGroups(queryClient)
                    // The check exists now; should the first run not start, its page says so and has a button for it.
                    if (shared.activated) await runCheck(checkId).catch(() => null)
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

const isDataCenter = (region: string): region is DataCenter => DATA_CENTERS.some((one) => one === region)
