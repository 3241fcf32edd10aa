/** Turns live events into fresh data: at most one round of requests a second, however many events come. */
import type { QueryClient } from '@tanstack/react-query'
import type { CheckOverview } from '@vedette/schema'
import type { Page } from './call.ts'
import { refreshLists } from './check-lists.ts'
import { keys } from './keys.ts'
import { openLiveStream } from './live-stream.ts'
import { loadOverview } from './overview.ts'

const GATHER_MS = 500
/** Up to this many shown checks are asked for one by one; beyond, the list is asked for as a whole. */
const SINGLY = 4

export type StateChange = { name: string; from: CheckOverview['state']; to: CheckOverview['state'] }

export function followChecks(queryClient: QueryClient, onStateChange: (change: StateChange) => void): () => void {
  const waiting = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const gather = (checkId: string) => {
    waiting.add(checkId)
    timer ??= setTimeout(flush, GATHER_MS)
  }

  const flush = async () => {
    const checkIds = [...waiting]
    waiting.clear()
    try {
      await refresh(queryClient, checkIds, onStateChange)
    } finally {
      timer = waiting.size > 0 ? setTimeout(flush, GATHER_MS) : undefined
    }
  }

  const close = openLiveStream(gather, () => void queryClient.invalidateQueries())
  return () => {
    clearTimeout(timer)
    close()
  }
}

async function refresh(queryClient: QueryClient, checkIds: string[], onStateChange: (change: StateChange) => void) {
  const shown = new Set(checkIds.filter((id) => findOverview(queryClient, id) !== undefined))
  for (const id of checkIds) void queryClient.invalidateQueries({ queryKey: keys.runsOf(id) })

  const unknown = checkIds.some((id) => !shown.has(id))
  if (shown.size > SINGLY) {
    await refreshLists(queryClient)
    for (const id of shown) void queryClient.invalidateQueries({ queryKey: keys.overview(id) })
    return
  }
  const changes = await Promise.all([...shown].map((id) => refreshOne(queryClient, id)))
  const changed = changes.filter((change) => change !== null)
  changed.forEach(onStateChange)
  // Order and counts may have changed; a check that is not on this page may belong on it now.
  if (changed.length > 0 || (unknown && isSmallList(queryClient))) void refreshLists(queryClient)
}

async function refreshOne(queryClient: QueryClient, checkId: string): Promise<StateChange | null> {
  const before = findOverview(queryClient, checkId)
  const after = await loadOverview(checkId).catch(() => null)
  if (after === null) {
    void refreshLists(queryClient)
    return null
  }
  queryClient.setQueryData<CheckOverview>(keys.overview(checkId), (old) => (old ? after : undefined))
  queryClient.setQueriesData<Page<CheckOverview[]>>({ queryKey: keys.overviews }, (page) =>
    page ? { ...page, items: page.items.map((item) => (item.id === checkId ? after : item)) } : undefined,
  )
  if (before === undefined || before.state === after.state) return null
  return { name: after.name, from: before.state, to: after.state }
}

function findOverview(queryClient: QueryClient, checkId: string): CheckOverview | undefined {
  for (const page of shownPages(queryClient)) {
    const found = page.items.find(({ id }) => id === checkId)
    if (found) return found
  }
  return queryClient.getQueryData<CheckOverview>(keys.overview(checkId))
}

const shownPages = (queryClient: QueryClient): Page<CheckOverview[]>[] =>
  queryClient
    .getQueriesData<Page<CheckOverview[]>>({ queryKey: keys.overviews, type: 'active' })
    .flatMap(([, page]) => (page ? [page] : []))

const isSmallList = (queryClient: QueryClient): boolean =>
  shownPages(queryClient).every(({ items, total }) => total <= items.length)
