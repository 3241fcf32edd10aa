import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followChecks } from '../api/live-checks.ts'
import { useStreamState } from '../api/live-stream.ts'
import { announce } from '../components/announcer.tsx'

/** Follows the server's events while someone is signed in, and says whether they flow. */
export function LiveUpdates() {
  const queryClient = useQueryClient()
  const state = useStreamState()
  useEffect(
    () => followChecks(queryClient, ({ name, from, to }) => announce(`${name} is ${to}, was ${from}`)),
    [queryClient],
  )
  const flowing = state === 'flowing'
  return (
    <span
      className="flex items-center gap-1.5 text-xs font-semibold text-soft"
      title={flowing ? 'Changes appear as they happen.' : 'The event stream is interrupted: asking every 10 seconds.'}
    >
      <span
        aria-hidden="true"
        className={`size-2 rounded-full ${flowing ? 'bg-good' : 'border-2 border-warn bg-transparent'}`}
      />
      {flowing ? 'Live' : 'Polling'}
    </span>
  )
}
