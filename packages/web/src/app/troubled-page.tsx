import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { Button } from '../components/button.tsx'
import { Empty } from '../components/empty.tsx'
import { Mark } from '../components/mark.tsx'
import { Notice } from '../components/notice.tsx'

export function NotFoundPage() {
  return (
    <main className="mx-auto my-10 max-w-xl px-4">
      <title>Not found – Vedette</title>
      <p className="mb-6 flex items-center justify-center gap-3 text-xl font-semibold tracking-tight">
        <Mark size={40} /> Vedette
      </p>
      <div className="card">
        <Empty title="There is nothing at this address.">
          <Link to="/" className="link">
            To the list of checks
          </Link>
        </Empty>
      </div>
    </main>
  )
}

/** For what no part of a page has caught. */
export function TroubledPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <div className="mx-auto my-10 max-w-xl px-4">
      <title>Trouble – Vedette</title>
      <Notice tone="bad">
        <p>{error instanceof Error ? error.message : String(error)}</p>
        <Button
          className="mt-3"
          onClick={() => {
            reset()
            void router.invalidate()
          }}
        >
          Try again
        </Button>
      </Notice>
    </div>
  )
}
