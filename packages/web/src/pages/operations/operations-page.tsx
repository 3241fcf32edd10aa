import { useQuery } from '@tanstack/react-query'
import { operationsQuery } from '../../api/operations.ts'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Figures } from './figures.tsx'
import { MissedSection } from './missed-section.tsx'
import { RunnersSection } from './runners-section.tsx'
import { SelfWatchSection } from './self-watch-section.tsx'

/** How the monitor itself is doing. */
export default function OperationsPage() {
  const operations = useQuery(operationsQuery)
  return (
    <>
      <PageHeader title="Operations">
        <p>
          How Vedette itself is doing
          {operations.data && `: the last ${operations.data.windowMinutes} minutes, renewed every 5 seconds`}.
        </p>
      </PageHeader>
      <Loaded query={operations} lines={5}>
        {(operations) => (
          <>
            <SelfWatchSection selfWatch={operations.selfWatch} />
            <Figures operations={operations} />
            <RunnersSection runners={operations.runners} />
            <MissedSection missed={operations.missed} />
          </>
        )}
      </Loaded>
    </>
  )
}
