import { useEffect, useState } from 'react'
import type { OverviewFilter } from '../../../api/overviews.ts'
import { SelectControl } from '../../../components/field.tsx'
import { Icon } from '../../../components/icon.tsx'

interface CheckFilterProps {
  filter: OverviewFilter
  /** Every tag in use. */
  tags: readonly string[]
  onFilter: (filter: OverviewFilter) => void
}

const TYPING_PAUSE_MS = 250

export function CheckFilter({ filter, tags, onFilter }: CheckFilterProps) {
  const [search, setSearch] = useState(filter.search)
  useEffect(() => setSearch(filter.search), [filter.search])
  useEffect(() => {
    if (search === filter.search) return
    const timer = setTimeout(() => onFilter({ ...filter, search, page: 1 }), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [search, filter, onFilter])

  const options = [...new Set(filter.tag === '' ? tags : [filter.tag, ...tags])]
  return (
    <search className="mb-3 flex flex-wrap gap-2">
      <div className="relative min-w-0 flex-1 basis-40">
        <Icon name="search" className="pointer-events-none absolute top-3 left-3 text-faint" />
        <input
          type="search"
          aria-label="Search checks by name or address"
          placeholder="Name or address"
          className="control pl-9!"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      {options.length > 0 && (
        <SelectControl
          aria-label="Tag"
          className="w-auto! max-w-40 sm:max-w-56"
          value={filter.tag}
          options={[{ value: '', label: 'All tags' }, ...options.map((tag) => ({ value: tag, label: tag }))]}
          onChange={(tag) => onFilter({ ...filter, tag, page: 1 })}
        />
      )}
    </search>
  )
}
