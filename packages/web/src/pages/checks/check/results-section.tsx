import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePollingMs } from '../../../api/live-stream.ts'
import { resultsQuery } from '../../../api/results.ts'
import { Button } from '../../../components/button.tsx'
import { CheckboxField } from '../../../components/field.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Section } from '../../../components/section.tsx'
import { ResultsTable } from '../results-table.tsx'

/** The latest runs, newest first, further back on demand. */
export function ResultsSection({ checkId }: { checkId: string }) {
  const [failuresOnly, setFailuresOnly] = useState(false)
  const [withAttempts, setWithAttempts] = useState(false)
  const pollingMs = usePollingMs()
  const results = useInfiniteQuery({
    ...resultsQuery(checkId, { failuresOnly, withAttempts }),
    refetchInterval: pollingMs,
  })
  return (
    <Section
      title="Latest runs"
      flush
      aside={
        <>
          <CheckboxField label="Failures only" checked={failuresOnly} onChange={setFailuresOnly} />
          <CheckboxField label="With every attempt" checked={withAttempts} onChange={setWithAttempts} />
        </>
      }
    >
      <Loaded query={results}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries)
          if (entries.length === 0) {
            return (
              <p className="px-5 py-8 text-center text-soft">{failuresOnly ? 'No failures. Good.' : 'No runs yet.'}</p>
            )
          }
          return (
            <>
              <ResultsTable checkId={checkId} results={entries} />
              {results.hasNextPage && (
                <div className="border-t border-line px-5 py-3 text-center">
                  <Button busy={results.isFetchingNextPage} onClick={() => void results.fetchNextPage()}>
                    Show older runs
                  </Button>
                </div>
              )}
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}
