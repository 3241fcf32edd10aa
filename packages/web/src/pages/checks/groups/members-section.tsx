import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CheckGroup } from '@vedette/schema'
import { useState } from 'react'
import { useLeaveGroup } from '../../../api/leave-group.ts'
import { usePollingMs } from '../../../api/live-stream.ts'
import { membersQuery, OVERVIEWS_PER_PAGE } from '../../../api/overviews.ts'
import { announce } from '../../../components/announcer.tsx'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Icon } from '../../../components/icon.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Pager } from '../../../components/pager.tsx'
import { Section } from '../../../components/section.tsx'
import { CheckRow } from '../list/check-row.tsx'

/** The checks of the group as the list shows them. */
export function MembersSection({ group }: { group: CheckGroup }) {
  const [page, setPage] = useState(1)
  const refetchInterval = usePollingMs()
  const members = useQuery({ ...membersQuery(group.id, page), refetchInterval })
  const leave = useLeaveGroup()
  const add = (
    <Link to="/checks/new" search={{ group: group.id }} className="button">
      <Icon name="plus" /> Add a check
    </Link>
  )
  return (
    <Section title="Checks" flush aside={members.data && members.data.total > 0 && add}>
      {leave.error && <Notice tone="bad">{leave.error.message}</Notice>}
      <Loaded query={members}>
        {({ items, total }) =>
          total === 0 ? (
            <Empty title="No check in this group yet">
              <p className="mb-4">Add one here, or choose the group in the form of a check.</p>
              {add}
            </Empty>
          ) : (
            <>
              <ul aria-label="Checks of the group" className="divide-y divide-line">
                {items.map((check) => (
                  <CheckRow
                    key={check.id}
                    check={check}
                    action={
                      <Button
                        look="quiet"
                        className="-mr-3 ml-auto"
                        busy={leave.isPending && leave.variables === check.id}
                        onClick={() =>
                          leave.mutate(check.id, { onSuccess: () => announce(`${check.name} is out of the group`) })
                        }
                      >
                        Take out<span className="sr-only"> {check.name}</span>
                      </Button>
                    }
                  />
                ))}
              </ul>
              <div className="border-t border-line px-5 empty:hidden">
                <Pager page={page} perPage={OVERVIEWS_PER_PAGE} total={total} onPage={setPage} />
              </div>
            </>
          )
        }
      </Loaded>
    </Section>
  )
}
