import { Button } from './button.tsx'
import { formatCount } from './number.ts'

interface PagerProps {
  page: number
  perPage: number
  total: number
  onPage: (page: number) => void
}

export function Pager({ page, perPage, total, onPage }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / perPage))
  if (pages === 1) return null
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-3 py-3 text-[0.875rem] text-soft">
      <span>
        {formatCount((page - 1) * perPage + 1)}–{formatCount(Math.min(total, page * perPage))} of {formatCount(total)}
      </span>
      <span className="flex gap-2">
        <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
          Previous
        </Button>
        <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
          Next
        </Button>
      </span>
    </nav>
  )
}
