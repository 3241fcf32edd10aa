import type { ReactNode } from 'react'

interface PageHeaderProps {
  title: string
  /** Shown instead of the title where more than text is needed. */
  heading?: ReactNode
  children?: ReactNode
  actions?: ReactNode
}

export function PageHeader({ title, heading, children, actions }: PageHeaderProps) {
  return (
    <header className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <title>{`${title} – Vedette`}</title>
      <div className="min-w-0">
        <h1 className="text-[1.375rem] leading-8 font-semibold break-words">{heading ?? title}</h1>
        {children && <div className="mt-1 max-w-[68ch] text-soft">{children}</div>}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </header>
  )
}
