import { Link } from '@tanstack/react-router'
import type { CheckResult } from '@vedette/schema'
import { locationName } from '../../api/location-name.ts'
import { Instant } from '../../components/instant.tsx'
import { formatMs } from '../../components/number.ts'
import { kindOf, kinds } from './kinds/index.ts'
import { VerdictPill, verdictOf } from './verdict.tsx'

/** Runs as a table; on a narrow screen each row is two lines. */
export function ResultsTable({
  checkId,
  results,
  current,
}: {
  checkId: string
  results: readonly CheckResult[]
  current?: string
}) {
  return (
    <table className="data-table">
      <caption className="sr-only">Runs, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Started</th>
          <th scope="col">Verdict</th>
          <th scope="col" className="hidden sm:table-cell">
            Location
          </th>
          <th scope="col" className="number">
            Time
          </th>
          <th scope="col" className="hidden w-full md:table-cell">
            What happened
          </th>
        </tr>
      </thead>
      <tbody>
        {results.map((result) => {
          const happened = whatHappened(result)
          return (
            <tr key={result.id} className={result.id === current ? 'bg-accent-soft' : 'hover:bg-sunken/60'}>
              <td>
                <Link
                  to="/checks/$checkId/results/$resultId"
                  params={{ checkId, resultId: result.id }}
                  className="link"
                  aria-current={result.id === current ? 'true' : undefined}
                >
                  <Instant at={result.startedAt} />
                </Link>
                <span className="block text-xs text-faint sm:hidden">{locationName(result.runLocation)}</span>
              </td>
              <td>
                <VerdictPill verdict={verdictOf(result)} />
                {result.resultType === 'ATTEMPT' && (
                  <span className="mt-0.5 block text-xs whitespace-nowrap text-faint">attempt {result.attempts}</span>
                )}
                {result.resultType === 'FINAL' && result.attempts > 1 && (
                  <span className="mt-0.5 block text-xs whitespace-nowrap text-faint">
                    last of {result.attempts} attempts
                  </span>
                )}
              </td>
              <td className="hidden whitespace-nowrap sm:table-cell">{locationName(result.runLocation)}</td>
              <td className="number whitespace-nowrap">{formatMs(result.responseTime)}</td>
              <td className="hidden max-w-0 truncate text-soft md:table-cell" title={happened}>
                {happened}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** The reason where there is one, otherwise what came back. */
function whatHappened(result: CheckResult): string {
  const kind = kindOf(result)
  return result.errorMessage ?? (kind ? kinds[kind].inBrief(result) : '')
}
