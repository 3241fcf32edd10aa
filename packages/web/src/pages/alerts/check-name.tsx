import { useQuery } from '@tanstack/react-query'
import { checkNamesQuery } from '../../api/check-names.ts'
import { overviewQuery } from '../../api/overview.ts'

/** The names come with the states of checks; one that has not run has none and is asked for by itself. */
export function CheckName({ checkId }: { checkId: string }) {
  const { data: names } = useQuery(checkNamesQuery)
  const known = names?.get(checkId)
  const { data: overview } = useQuery({
    ...overviewQuery(checkId),
    enabled: names !== undefined && known === undefined,
  })
  return known ?? overview?.name ?? 'a check without runs'
}
