import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { meQuery } from '../api/me.ts'
import { isRefusal } from '../api/refusal.ts'
import { setUpStateQuery } from '../api/set-up-state.ts'

/** Lets people in who are signed in; sends others to sign in, or to set up an installation that nobody has. */
export async function requireSession(queryClient: QueryClient, href: string): Promise<void> {
  try {
    await queryClient.ensureQueryData(meQuery)
  } catch (error) {
    if (!isRefusal(error, 401)) throw error
    const { needed } = await queryClient.fetchQuery({ ...setUpStateQuery, staleTime: 0 })
    throw needed
      ? redirect({ to: '/set-up', search: { token: '' }, replace: true })
      : redirect({ to: '/sign-in', search: { from: href }, replace: true })
  }
}
