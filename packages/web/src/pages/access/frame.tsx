import type { ReactNode } from 'react'
import { Mark } from '../../components/mark.tsx'

/** The quiet page around the forms that come before signing in. */
export function Frame({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center px-5 py-10">
      <title>{`${title} – Vedette`}</title>
      <p className="mb-8 flex items-center gap-3 text-xl font-semibold tracking-tight">
        <Mark size={40} /> Vedette
      </p>
      <h1 className="text-2xl font-semibold">{title}</h1>
      {lead && <div className="mt-2 text-soft">{lead}</div>}
      <div className="card mt-6 p-5 shadow-lift sm:p-6">{children}</div>
    </main>
  )
}
