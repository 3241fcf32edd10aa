import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { meQuery } from '../api/me.ts'
import { isRefusal, Refusal } from '../api/refusal.ts'

/** One cache for all server state. `onSignedOut` is called when any call finds the session gone. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => {
    if (isRefusal(error, 401)) onSignedOut()
  }
  return new QueryClient({
    // Who is signed in is asked before a page is shown, and whoever asks deals with the answer.
    queryCache: new QueryCache({ onError: (error, { queryKey }) => queryKey !== meQuery.queryKey && onError(error) }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 2000,
        // A refusal is an answer: asking again would bring the same.
        retry: (failures, error) => !(error instanceof Refusal && error.status < 500) && failures < 2,
        retryDelay: (failures) => 500 * 2 ** failures,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
}
