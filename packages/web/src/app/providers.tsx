import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createQueryClient } from './query-client.ts'
import { createAppRouter } from './router.tsx'

const queryClient = createQueryClient(() => {
  // The forms of signing in show a 401 themselves.
  const { pathname, href } = router.state.location
  if (pathname === '/sign-in' || pathname === '/set-up') return
  queryClient.removeQueries({ queryKey: ['me'] })
  void router.navigate({ to: '/sign-in', search: { from: href } })
})

const router = createAppRouter(queryClient)

export function Providers() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  )
}
