import { useQuery } from '@tanstack/react-query'
import type { CheckResult } from '@vedette/schema'
import { attemptsQuery } from '../../../api/attempts.ts'
import { Loaded } from '../../../components/loaded.tsx'
import { Section } from '../../../components/section.tsx'
import { ResultsTable } from '../results-table.tsx'

/** All tries of the run that this result belongs to. */
export function AttemptsSection({ result }: { result: CheckResult }) {
  const attempts = useQuery(attemptsQuery(result))
  return (
    <Section title="Attempts of this run" flush>
      <Loaded query={attempts} lines={2}>
        {(attempts) => <ResultsTable checkId={result.checkId} results={attempts} current={result.id} />}
      </Loaded>
    </Section>
  )
}
