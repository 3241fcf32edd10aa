import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useRef } from 'react'
import { meQuery } from '../api/me.ts'
import { useSignOut } from '../api/sign-out.ts'
import { Announcer } from '../components/announcer.tsx'
import { IconButton } from '../components/button.tsx'
import { Icon, type IconName } from '../components/icon.tsx'
import { Placeholder } from '../components/loaded.tsx'
import { Mark } from '../components/mark.tsx'
import { chooseTheme, useTheme } from '../components/theme.ts'
import { LiveUpdates } from './live-updates.tsx'

const areas = [
  { to: '/', label: 'Checks', icon: 'list' },
  { to: '/alerts', label: 'Alerts', icon: 'bell' },
  { to: '/locations', label: 'Locations', icon: 'pin' },
  { to: '/operations', label: 'Operations', icon: 'gauge' },
  { to: '/settings', label: 'Settings', icon: 'settings' },
] as const satisfies readonly { to: string; label: string; icon: IconName }[]

/** What surrounds every page of a signed-in person: skip link, areas, and the page itself. */
export function Shell() {
  const main = useRef<HTMLElement>(null)
  useFocusOnArrival(main)
  return (
    <>
      <a href="#content" className="button button-primary fixed top-2 left-2 z-50 -translate-y-16 focus:translate-y-0">
        Skip to content
      </a>
      <header className="sticky top-0 z-30 border-b border-line bg-surface">
        <div className="mx-auto flex h-14 max-w-6xl items-center gap-4 px-4 sm:px-6">
          <Link to="/" className="flex items-center gap-2.5 text-[1.0625rem] font-semibold tracking-tight">
            <Mark size={28} /> Vedette
          </Link>
          <nav aria-label="Areas" className="hidden h-full gap-1 pl-3 md:flex">
            {areas.map(({ to, label }) => (
              <AreaLink
                key={to}
                to={to}
                className="flex items-center border-b-2 border-transparent px-3 pt-0.5 text-[0.875rem] font-medium text-soft hover:text-ink aria-[current=page]:border-lantern aria-[current=page]:text-ink"
              >
                {label}
              </AreaLink>
            ))}
          </nav>
          <div className="ml-auto flex items-center gap-1 sm:gap-2">
            <LiveUpdates />
            <ThemeButton />
            <Person />
          </div>
        </div>
      </header>
      <main ref={main} id="content" tabIndex={-1} className="mx-auto w-full max-w-6xl px-4 pt-6 pb-28 sm:px-6 md:pb-16">
        <Suspense fallback={<Placeholder />}>
          <Outlet />
        </Suspense>
      </main>
      <nav
        aria-label="Areas"
        className="fixed inset-x-0 bottom-0 z-30 grid grid-cols-5 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
      >
        {areas.map(({ to, label, icon }) => (
          <AreaLink
            key={to}
            to={to}
            className="flex min-h-14 flex-col items-center justify-center gap-0.5 border-t-2 border-transparent text-[0.6875rem] font-medium text-soft aria-[current=page]:border-lantern aria-[current=page]:text-ink"
          >
            <Icon name={icon} size={19} />
            {label}
          </AreaLink>
        ))}
      </nav>
      <Announcer />
    </>
  )
}

interface AreaLinkProps {
  to: (typeof areas)[number]['to']
  className: string
  children: React.ReactNode
}

/** The pages of checks and groups belong to the area of checks, although their paths do not begin with the list's. */
function AreaLink({ to, className, children }: AreaLinkProps) {
  const current = useRouterState({
    select: ({ location: { pathname } }) =>
      to === '/'
        ? pathname === '/' || pathname.startsWith('/checks') || pathname.startsWith('/groups')
        : pathname.startsWith(to),
  })
  return (
    <Link to={to} className={className} aria-current={current ? 'page' : undefined} activeProps={{}}>
      {children}
    </Link>
  )
}

function ThemeButton() {
  const theme = useTheme()
  const other = theme === 'dark' ? 'light' : 'dark'
  return (
    <IconButton
      icon={theme === 'dark' ? 'sun' : 'moon'}
      label={`Use the ${other} theme`}
      onClick={() => chooseTheme(other)}
    />
  )
}

function Person() {
  const { data: me } = useSuspenseQuery(meQuery)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const leave = () =>
    signOut.mutate(undefined, {
      onSuccess: async () => {
        await navigate({ to: '/sign-in', search: { from: '/' } })
        queryClient.clear()
      },
    })
  return (
    <>
      <span className="hidden max-w-36 truncate text-[0.875rem] text-soft lg:block" title={me.account.name}>
        {me.user.name}
      </span>
      <IconButton icon="leave" label={`Sign out ${me.user.name}`} busy={signOut.isPending} onClick={leave} />
    </>
  )
}

/** After a change of page the keyboard and the reader's voice start at its beginning, as after a page load. */
function useFocusOnArrival(main: React.RefObject<HTMLElement | null>) {
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname, main])
}
