import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isRefusal } from '../../api/refusal.ts'
import { Empty } from '../../components/empty.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'

interface LoadedOrGoneProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch' | 'isPending'>
  /** What the address leads to: “check”. */
  noun: string
  children: (data: Data) => ReactNode
}

/** For the thing that a page is about: an address may be wrong, or older than the thing it led to. */
export function LoadedOrGone<Data>({ query, noun, children }: LoadedOrGoneProps<Data>) {
  const gone = isRefusal(query.error, 404) || isRefusal(query.error, 400)
  if (!gone) return <Loaded query={query}>{children}</Loaded>
  return (
    <>
      <PageHeader title={`This ${noun} is not there`} />
      <div className="card">
        <Empty title="It was deleted, or the address is not right.">
          <Link to="/" className="link">
            To the list of checks
          </Link>
        </Empty>
      </div>
    </>
  )
}
