import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageHeader } from '../../components/page-header.tsx'

const pages = [
  { to: '/settings', label: 'General' },
  { to: '/settings/variables', label: 'Variables' },
  { to: '/settings/snippets', label: 'Snippets' },
  { to: '/settings/client-certificates', label: 'Client certificates' },
] as const

interface SettingsFrameProps {
  title: string
  about?: ReactNode
  children: ReactNode
}

/** What surrounds every page of the settings: the way to the others. */
export function SettingsFrame({ title, about, children }: SettingsFrameProps) {
  return (
    <div className="mx-auto max-w-3xl">
      <nav aria-label="Settings" className="-mt-2 mb-5 flex flex-wrap border-b border-line">
        {pages.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: to === '/settings' }}
            className="-mb-px border-b-2 border-transparent px-2 py-2 text-[0.875rem] font-medium text-soft hover:text-ink aria-[current=page]:border-lantern aria-[current=page]:text-ink sm:px-3"
          >
            {label}
          </Link>
        ))}
      </nav>
      <PageHeader title={title}>{about}</PageHeader>
      {children}
    </div>
  )
}
