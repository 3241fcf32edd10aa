import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usePollingMs } from '../../../api/live-stream.ts'
import { OVERVIEWS_PER_PAGE, type OverviewFilter, overviewsQuery } from '../../../api/overviews.ts'
import { summaryQuery } from '../../../api/summary.ts'
import { Button } from '../../../components/button.tsx'
import { Icon } from '../../../components/icon.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { Pager } from '../../../components/pager.tsx'
import { CheckFilter } from './check-filter.tsx'
import { CheckRow } from './check-row.tsx'
import { NoChecks } from './no-checks.tsx'
import { Summary } from './summary.tsx'

interface CheckListPageProps {
  filter: OverviewFilter
  onFilter: (filter: OverviewFilter) => void
}

export function CheckListPage({ filter, onFilter }: CheckListPageProps) {
  const refetchInterval = usePollingMs()
  const overviews = useQuery({ ...overviewsQuery(filter), refetchInterval })
  const { data: summary } = useQuery(summaryQuery)
  const filtered = filter.search !== '' || filter.tag !== '' || filter.kind !== '' || filter.state !== ''
  const none = overviews.data?.total === 0 && !filtered
  return (
    <>
      <PageHeader
        title="Checks"
        actions={
          <>
            <Link to="/groups" className="button">
              <Icon name="group" /> Groups
            </Link>
            {!none && (
              <Link to="/checks/new" className="button button-primary">
                <Icon name="plus" /> Add a check
              </Link>
            )}
          </>
        }
      />
      {none ? (
        <NoChecks />
      ) : (
        <>
          <Summary
            summary={summary}
            state={filter.state}
            onState={(state) => onFilter({ ...filter, state, page: 1 })}
          />
          <CheckFilter filter={filter} tags={summary?.tags ?? []} onFilter={onFilter} />
          <Loaded query={overviews} lines={6}>
            {({ items, total }) => (
              <>
                {items.length === 0 ? (
                  <div className="card px-5 py-10 text-center text-soft">
                    <p className="mb-3">No check matches this search.</p>
                    <Button onClick={() => onFilter({ search: '', tag: '', kind: '', state: '', page: 1 })}>
                      Show all checks
                    </Button>
                  </div>
                ) : (
                  <ul aria-label="Checks" className="card divide-y divide-line">
                    {items.map((check) => (
                      <CheckRow key={check.id} check={check} onTag={(tag) => onFilter({ ...filter, tag, page: 1 })} />
                    ))}
                  </ul>
                )}
                <Pager
                  page={filter.page}
                  perPage={OVERVIEWS_PER_PAGE}
                  total={total}
                  onPage={(page) => onFilter({ ...filter, page })}
                />
              </>
            )}
          </Loaded>
        </>
      )}
    </>
  )
}
