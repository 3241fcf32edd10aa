import { useQuery } from '@tanstack/react-query'
import { useArchiveErrorGroup } from '../../../api/archive-error-group.ts'
import { errorGroupCountsQuery } from '../../../api/error-group-counts.ts'
import { errorGroupsQuery } from '../../../api/error-groups.ts'
import { useMayWrite } from '../../../api/may-write.ts'
import { Button } from '../../../components/button.tsx'
import { Ago } from '../../../components/instant.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Section } from '../../../components/section.tsx'
import { DayBars } from './day-bars.tsx'
import { type DayCount, lastDays, totalOf } from './day-counts.ts'

const DAYS = 14

/** What has gone wrong, each thing once. Absent while nothing has. */
export function ErrorGroupsSection({ checkId }: { checkId: string }) {
  const { data = [] } = useQuery(errorGroupsQuery(checkId))
  const { data: counts } = useQuery(errorGroupCountsQuery(checkId))
  const archive = useArchiveErrorGroup(checkId)
  const mayWrite = useMayWrite()
  const groups = data.filter(({ archivedUntilNextEvent }) => !archivedUntilNextEvent)
  if (groups.length === 0) return null
  const now = Date.now()
  const daysOf = (id: string) =>
    lastDays(counts?.find(({ errorGroupId }) => errorGroupId === id)?.days ?? [], DAYS, now)
  return (
    <Section title="Errors" flush>
      {archive.error && <Notice tone="bad">{archive.error.message}</Notice>}
      <ul className="divide-y divide-line">
        {groups.map(({ id, cleanedErrorMessage, rawErrorMessage, firstSeen, lastSeen }) => (
          <li key={id} className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1 px-4 py-3 sm:px-5">
            <div className="min-w-0 flex-1 basis-72">
              <p className="font-mono text-[0.8125rem] break-words" title={cleanedErrorMessage}>
                {rawErrorMessage ?? cleanedErrorMessage}
              </p>
              <p className="mt-1 text-[0.8125rem] text-faint">
                last <Ago at={lastSeen} />, first <Ago at={firstSeen} />
              </p>
            </div>
            {counts && <Days days={daysOf(id)} />}
            {mayWrite && (
              <Button
                busy={archive.isPending && archive.variables === id}
                title="Hide it until it happens again"
                onClick={() => archive.mutate(id)}
              >
                Archive
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Days({ days }: { days: readonly DayCount[] }) {
  const total = totalOf(days)
  return (
    <div className="flex items-center gap-3 text-[0.8125rem] text-soft">
      <DayBars days={days} />
      <span aria-hidden="true" className="min-w-12 text-right tabular-nums" title={`In the last ${DAYS} days, by UTC`}>
        {total} ×
      </span>
    </div>
  )
}
