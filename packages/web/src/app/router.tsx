/** Which address shows which page. Pages take what the address says as properties and know no router paths of others. */
import type { QueryClient } from '@tanstack/react-query'
import { createRootRoute, createRoute, createRouter, Outlet, redirect, useRouter } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { isCheckKind, isListedState, type OverviewFilter } from '../api/overviews.ts'
import { SetUpPage } from '../pages/access/set-up-page.tsx'
import { SignInPage } from '../pages/access/sign-in-page.tsx'
import { type FormKind, formKind } from '../pages/checks/kinds/kind-words.ts'
import { CheckListPage } from '../pages/checks/list/check-list-page.tsx'
import { requireSession } from './session-guard.ts'
import { Shell } from './shell.tsx'
import { NotFoundPage, TroubledPage } from './troubled-page.tsx'

const pages = {
  AddCheckPage: () => import('../pages/checks/form/add-check-page.tsx'),
  EditCheckPage: () => import('../pages/checks/form/edit-check-page.tsx'),
  GroupsPage: () => import('../pages/checks/groups/groups-page.tsx'),
  GroupPage: () => import('../pages/checks/groups/group-page.tsx'),
  AddGroupPage: () => import('../pages/checks/groups/add-group-page.tsx'),
  EditGroupPage: () => import('../pages/checks/groups/edit-group-page.tsx'),
  CheckPage: () => import('../pages/checks/check/check-page.tsx'),
  ResultPage: () => import('../pages/checks/result/result-page.tsx'),
  SessionPage: () => import('../pages/checks/session/session-page.tsx'),
  AlertsPage: () => import('../pages/alerts/alerts-page.tsx'),
  LocationsPage: () => import('../pages/locations/locations-page.tsx'),
  OperationsPage: () => import('../pages/operations/operations-page.tsx'),
  SettingsPage: () => import('../pages/settings/settings-page.tsx'),
  VariablesPage: () => import('../pages/settings/variables/variables-page.tsx'),
  SnippetsPage: () => import('../pages/settings/snippets/snippets-page.tsx'),
  AddSnippetPage: () => import('../pages/settings/snippets/add-snippet-page.tsx'),
  SnippetPage: () => import('../pages/settings/snippets/snippet-page.tsx'),
  ClientCertificatesPage: () => import('../pages/settings/certificates/client-certificates-page.tsx'),
}

const AddCheckPage = lazy(pages.AddCheckPage)
const EditCheckPage = lazy(pages.EditCheckPage)
const GroupsPage = lazy(pages.GroupsPage)
const GroupPage = lazy(pages.GroupPage)
const AddGroupPage = lazy(pages.AddGroupPage)
const EditGroupPage = lazy(pages.EditGroupPage)
const CheckPage = lazy(pages.CheckPage)
const ResultPage = lazy(pages.ResultPage)
const SessionPage = lazy(pages.SessionPage)
const AlertsPage = lazy(pages.AlertsPage)
const LocationsPage = lazy(pages.LocationsPage)
const OperationsPage = lazy(pages.OperationsPage)
const SettingsPage = lazy(pages.SettingsPage)
const VariablesPage = lazy(pages.VariablesPage)
const SnippetsPage = lazy(pages.SnippetsPage)
const AddSnippetPage = lazy(pages.AddSnippetPage)
const SnippetPage = lazy(pages.SnippetPage)
const ClientCertificatesPage = lazy(pages.ClientCertificatesPage)

/** Fetches every page ahead of its first visit: they then also open while the server is away. */
export const fetchPages = (): Promise<unknown> => Promise.allSettled(Object.values(pages).map((load) => load()))

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
/** 0 for what is no id. */
const id = (value: unknown): number => Math.max(0, Math.floor(Number(value)) || 0)
const page = (value: unknown): number => Math.max(1, Math.floor(Number(value)) || 1)

const withKind = (kind: FormKind | undefined): { kind?: FormKind } => (kind === undefined ? {} : { kind })

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
  })

  const list = createRoute({
    getParentRoute: () => signedIn,
    path: '/',
    validateSearch: (search: Record<string, unknown>): Partial<OverviewFilter> => ({
      ...(text(search.search) && { search: text(search.search) }),
      ...(text(search.tag) && { tag: text(search.tag) }),
      ...(isCheckKind(search.kind) && { kind: search.kind }),
      ...(isListedState(search.state) && { state: search.state }),
      ...(page(search.page) > 1 && { page: page(search.page) }),
    }),
    component: () => {
      const { search = '', tag = '', kind = '', state = '', page = 1 } = list.useSearch()
      const navigate = list.useNavigate()
      return (
        <CheckListPage
          filter={{ search, tag, kind, state, page }}
          onFilter={(next) =>
            void navigate({
              search: {
                search: next.search || undefined,
                tag: next.tag || undefined,
                kind: next.kind || undefined,
                state: next.state || undefined,
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
    validateSearch: (search: Record<string, unknown>): { kind?: FormKind; url?: string; group?: number } => ({
      ...withKind(formKind(search.kind)),
      ...(search.url ? { url: text(search.url) } : {}),
      ...(id(search.group) > 0 && { group: id(search.group) }),
    }),
    component: () => {
      const { kind = 'API', url = '', group = null } = addCheck.useSearch()
      const navigate = addCheck.useNavigate()
      return (
        <AddCheckPage
          kind={kind}
          onKind={(kind) => navigate({ search: (search) => ({ ...search, kind }), replace: true })}
          url={url}
          groupId={group}
        />
      )
    },
  })

  const groups = createRoute({ getParentRoute: () => signedIn, path: '/groups', component: GroupsPage })
  const addGroup = createRoute({ getParentRoute: () => signedIn, path: '/groups/new', component: AddGroupPage })

  const group = createRoute({
    getParentRoute: () => signedIn,
    path: '/groups/$groupId',
    component: () => <GroupPage groupId={id(group.useParams().groupId)} />,
  })

  const editGroup = createRoute({
    getParentRoute: () => signedIn,
    path: '/groups/$groupId/edit',
    component: () => <EditGroupPage groupId={id(editGroup.useParams().groupId)} />,
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
  const variables = createRoute({
    getParentRoute: () => signedIn,
    path: '/settings/variables',
    component: VariablesPage,
  })
  const snippets = createRoute({ getParentRoute: () => signedIn, path: '/settings/snippets', component: SnippetsPage })
  const addSnippet = createRoute({
    getParentRoute: () => signedIn,
    path: '/settings/snippets/new',
    component: AddSnippetPage,
  })
  const snippet = createRoute({
    getParentRoute: () => signedIn,
    path: '/settings/snippets/$snippetId',
    component: () => <SnippetPage snippetId={id(snippet.useParams().snippetId)} />,
  })
  const clientCertificates = createRoute({
    getParentRoute: () => signedIn,
    path: '/settings/client-certificates',
    component: ClientCertificatesPage,
  })

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
        groups,
        addGroup,
        group,
        editGroup,
        alerts,
        locations,
        operations,
        settings,
        variables,
        snippets,
        addSnippet,
        snippet,
        clientCertificates,
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
