import type { Page } from './call.ts'

const PER_PAGE = 100

/** Everything of a list that the server gives a page at a time. */
export async function allPages<Item>(
  read: (query: { limit: number; page: number }) => Promise<Page<Item[]>>,
): Promise<Item[]> {
  const all: Item[] = []
  for (let page = 1; ; page++) {
    const { items, total } = await read({ limit: PER_PAGE, page })
    all.push(...items)
    if (items.length === 0 || all.length >= total) return all
  }
}
