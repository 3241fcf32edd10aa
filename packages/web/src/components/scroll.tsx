import type { ReactNode } from 'react'

/** Lets a wide table scroll by itself, also from the keyboard, so that the page never does. */
export function Scroll({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable without a pointer
    <section aria-label={`${label}, as a table`} tabIndex={0} className="relative overflow-x-auto">
      {children}
    </section>
  )
}
