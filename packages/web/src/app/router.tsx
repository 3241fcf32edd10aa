/** Which address shows which page. Pages take what the address says as properties and know no router paths of others. */
import type { QueryClient } from '@tanstack/react-query'
import { createRootRoute, createRoute, createRouter, Outlet, redirect, useRouter } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { SetUpPage } from '../pages/access/set-up-page.tsx'
import { SignInPage } from '../pages/access/sign-in-page.tsx'
import { CheckListPage } from '../pages/checks/list/check-list-page.tsx'
import { requireSession } from './session-guard.ts'
import { Shell } from './shell.tsx'
import { NotFoundPage, TroubledPage } from './troubled-page.tsx'

const AddCheckPage = lazy(() => import('../pages/checks/form/add-check-page.tsx'))
const EditCheckPage = lazy(() => import('../pages/checks/form/edit-check-page.tsx'))
const CheckPage = lazy(() => import('../pages/checks/check/check-page.tsx'))
const ResultPage = lazy(() => import('../pages/checks/result/result-page.tsx'))
const SessionPage = lazy(() => import('../pages/checks/session/session-page.tsx'))
const AlertsPage = lazy(() => import('../pages/alerts/alerts-page.tsx'))
const LocationsPage = lazy(() => import('../pages/locations/locations-page.tsx'))
const OperationsPage = lazy(() => import('../pages/operations/operations-page.tsx'))
const SettingsPage = lazy(() => import('../pages/settings/settings-page.tsx'))

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const page = (value: unknown): number => Math.max(1, Math.floor(Number(value)) || 1)

const root = createRootRoute({
  component: () => (
    <Suspense>
      <Outlet />
    </Suspense>
  ),
  notFoundComponent: NotFoundPage,
  errorComponent: TroubledPage,
})

const setUp = createRoute({
  getParentRoute: () => root,
  path: '/set-up',
  validateSearch: (search: Record<string, unknown>) => ({ token: text(search.token) }),
  component: () => {
    const { token } = setUp.useSearch()
    const navigate = setUp.useNavigate()
    return <SetUpPage token={token} onDone={() => void navigate({ to: '/', replace: true })} />
  },
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>) => ({ from: text(search.from) }),
  component: () => {
    const { from } = signIn.useSearch()
    const { history } = useRouter()
    // Only a path of our own: an address from elsewhere must not lead people away after they sign in.
    const back = /^\/(?![/\\])/.test(from) ? from : '/'
    return <SignInPage onDone={() => history.replace(back)} />
  },
})

export function createAppRouter(queryClient: QueryClient) {
  const signedIn = createRoute({
    getParentRoute: () => root,
    id: 'signed-in',
    beforeLoad: ({ location }) => requireSession(queryClient, location.href),
    component: Shell,
    notFoundComponent: NotFoundPage,
  })

  const list = createRoute({
    getParentRoute: () => signedIn,
    path: '/',
    validateSearch: (search: Record<string, unknown>): { search?: string; tag?: string; page?: number } => ({
      ...(text(search.search) && { search: text(search.search) }),
      ...(text(search.tag) && { tag: text(search.tag) }),
      ...(page(search.page) > 1 && { page: page(search.page) }),
    }),
    component: () => {
      const { search = '', tag = '', page = 1 } = list.useSearch()
      const navigate = list.useNavigate()
      return (
        <CheckListPage
          filter={{ search, tag, page }}
          onFilter={(next) =>
            void navigate({
              search: {
                search: next.search || undefined,
                tag: next.tag || undefined,
                page: next.page > 1 ? next.page : undefined,
              },
              replace: true,
              resetScroll: next.page !== page,
            })
          }
        />
      )
    },
  })

  const addCheck = createRoute({
    getParentRoute: () => signedIn,
    path: '/checks/new',
    validateSearch: (search: Record<string, unknown>): { url?: string } =>
      search.url ? { url: text(search.url) } : {},
    component: () => <AddCheckPage url={addCheck.useSearch().url ?? ''} />,
  })

  const check = createRoute({
    getParentRoute: () => signedIn,
    path: '/checks/$checkId',
    component: () => <CheckPage {...check.useParams()} />,
  })

  const editCheck = createRoute({
    getParentRoute: () => signedIn,
    path: '/checks/$checkId/edit',
    component: () => <EditCheckPage {...editCheck.useParams()} />,
  })

  const result = createRoute({
    getParentRoute: () => signedIn,
    path: '/checks/$checkId/results/$resultId',
    component: () => <ResultPage {...result.useParams()} />,
  })

  const session = createRoute({
    getParentRoute: () => signedIn,
    path: '/checks/$checkId/check-sessions/$sessionId',
    component: () => <SessionPage {...session.useParams()} />,
  })

  /** Links in the API's answers name the account; a person signed in acts in one account. */
  const withAccount = createRoute({
    getParentRoute: () => root,
    path: '/accounts/$accountId/$',
    beforeLoad: ({ params, location }) => {
      throw redirect({ href: `/${params._splat ?? ''}${location.searchStr}`, replace: true })
    },
  })

  const alerts = createRoute({ getParentRoute: () => signedIn, path: '/alerts', component: AlertsPage })
  const locations = createRoute({ getParentRoute: () => signedIn, path: '/locations', component: LocationsPage })
  const operations = createRoute({ getParentRoute: () => signedIn, path: '/operations', component: OperationsPage })
  const settings = createRoute({ getParentRoute: () => signedIn, path: '/settings', component: SettingsPage })

  return createRouter({
    routeTree: root.addChildren([
      setUp,
      signIn,
      withAccount,
      signedIn.addChildren([
        list,
        addCheck,
        check,
        editCheck,
        result,
        session,
        alerts,
        locations,
        operations,
        settings,
      ]),
    ]),
    // Plain text, not JSON as is the router's way: a token of digits must stay as it is.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
      const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
      return query === '' ? '' : `?${query}`
    },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: TroubledPage,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
