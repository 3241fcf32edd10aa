import { type ReactNode, useId } from 'react'

interface SectionProps {
  title: string
  aside?: ReactNode
  children: ReactNode
  /** Content that reaches the edges, such as a table. */
  flush?: boolean
}

export function Section({ title, aside, children, flush = false }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="card mb-5 min-w-0">
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-4 py-2 sm:px-5">
        <h2 id={id} className="text-[0.9375rem] font-semibold">
          {title}
        </h2>
        {aside && <div className="flex flex-wrap items-center gap-3 text-[0.875rem] text-soft">{aside}</div>}
      </div>
      <div className={flush ? 'min-w-0 overflow-hidden rounded-b-[9px] [&>[role]]:mx-4' : 'min-w-0 px-4 py-4 sm:px-5'}>
        {children}
      </div>
    </section>
  )
}
