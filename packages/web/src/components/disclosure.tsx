import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

interface DisclosureProps {
  summary: ReactNode
  children: ReactNode
  open?: boolean
}

export function Disclosure({ summary, children, open }: DisclosureProps) {
  return (
    <details open={open}>
      <summary className="flex list-none items-center gap-2 py-1 text-[0.875rem] font-semibold text-soft hover:text-ink [&::-webkit-details-marker]:hidden">
        <Icon name="chevron" size={14} className="transition-transform [[open]>summary>&]:rotate-90" />
        {summary}
      </summary>
      <div className="pt-2">{children}</div>
    </details>
  )
}
