/** What every list by cursor promises, whatever it lists. */
import assert from 'node:assert/strict'
import fc from 'fast-check'

interface Page {
  length: number
  entries: { id: string | number }[]
  nextId: string | null
}

export interface CursorList {
  /** Asks for one page. */
  read(query: { limit: number; nextId?: string }): Promise<Page>
  /** Adds so many entries and answers their ids. Added in one statement, they have the same time of creation. */
  add(count: number): Promise<(string | number)[]>
}

/**
 * Reads the list page by page while entries are added: what was there before is read exactly once, and nothing is read
 * twice.
 */
export async function assertCursorsHold({ read, add }: CursorList): Promise<void> {
  const there = new Set<string | number>()
  const put = async (count: number) => {
    for (const id of await add(count)) there.add(id)
  }
  const steps = fc.array(fc.record({ limit: fc.integer({ min: 1, max: 7 }), added: fc.nat(3) }), {
    minLength: 1,
    maxLength: 6,
  })
  await fc.assert(
    fc.asyncProperty(fc.nat(12), steps, async (count, plan) => {
      await put(count)
      const before = [...there]
      const seen = new Set<string | number>()
      let nextId: string | null = null
      let turn = 0
      do {
        // Adding ends at some time, or a list in the order of creation would never end.
        const { limit, added } = plan[turn % plan.length] ?? { limit: 1, added: 0 }
        const query: { limit: number; nextId?: string } = nextId === null ? { limit } : { limit, nextId }
        const adding = put(turn < plan.length ? added : 0)
        const page: Page = await read(query)
        await adding
        assert.equal(page.length, page.entries.length)
        assert.ok(page.length <= limit)
        // A page that is not full is the last one.
        assert.ok(page.nextId === null || page.length === limit)
        for (const { id } of page.entries) {
          // At once: a list that stands still would be read for ever.
          assert.ok(!seen.has(id), 'an entry was read twice')
          seen.add(id)
        }
        nextId = page.nextId
        turn += 1
      } while (nextId !== null)
      assert.deepEqual(
        before.filter((id) => !seen.has(id)),
        [],
        'entries were skipped',
      )
    }),
    { numRuns: 6 },
  )
}
