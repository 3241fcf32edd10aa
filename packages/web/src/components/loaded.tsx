import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

type Loadable<Data> = Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch' | 'isPending'>

interface LoadedProps<Data> {
  query: Loadable<Data>
  children: (data: Data) => ReactNode
  /** Lines of placeholder while the first answer is on its way. */
  lines?: number
}

/** Shows what a query brings: first a placeholder, then the data, and a refusal with a way to try again. */
export function Loaded<Data>({ query, children, lines = 3 }: LoadedProps<Data>) {
  if (query.data !== undefined) {
    return (
      <>
        {query.error && <Notice tone="warn">{query.error.message} What you see may be out of date.</Notice>}
        {children(query.data)}
      </>
    )
  }
  if (query.error) {
    return (
      <Notice tone="bad">
        <p>{query.error.message}</p>
        <Button className="mt-2" onClick={() => void query.refetch()}>
          Try again
        </Button>
      </Notice>
    )
  }
  return <Placeholder lines={lines} />
}

export function Placeholder({ lines = 3 }: { lines?: number }) {
  return (
    <div role="status" className="space-y-3 py-2">
      <span className="sr-only">Loading</span>
      {Array.from({ length: lines }, (_, line) => line).map((line) => (
        <div key={line} className="h-12 animate-pulse rounded-lg bg-sunken" />
      ))}
    </div>
  )
}
