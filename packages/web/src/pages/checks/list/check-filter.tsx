import { CHECK_KINDS, type CheckKind } from '@vedette/schema'
import { useEffect, useState } from 'react'
import type { OverviewFilter } from '../../../api/overviews.ts'
import { type Option, SelectControl } from '../../../components/field.tsx'
import { Icon } from '../../../components/icon.tsx'
import { kindWords } from '../kinds/kind-words.ts'

interface CheckFilterProps {
  filter: OverviewFilter
  /** Every tag in use. */
  tags: readonly string[]
  onFilter: (filter: OverviewFilter) => void
}

const TYPING_PAUSE_MS = 250

const kindOptions: Option<CheckKind | ''>[] = [
  { value: '', label: 'All kinds' },
  ...CHECK_KINDS.map((value) => ({ value, label: kindWords[value].label })),
]

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
      <div className="relative min-w-0 flex-1 basis-full sm:basis-40">
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
      <SelectControl
        aria-label="Kind"
        className="w-auto! flex-1 sm:flex-none"
        value={filter.kind}
        options={kindOptions}
        onChange={(kind) => onFilter({ ...filter, kind, page: 1 })}
      />
      {options.length > 0 && (
        <SelectControl
          aria-label="Tag"
          className="w-auto! flex-1 sm:max-w-56 sm:flex-none"
          value={filter.tag}
          options={[{ value: '', label: 'All tags' }, ...options.map((tag) => ({ value: tag, label: tag }))]}
          onChange={(tag) => onFilter({ ...filter, tag, page: 1 })}
        />
      )}
    </search>
  )
}
