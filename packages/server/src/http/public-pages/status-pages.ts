/** Status pages and their feeds. */
import type { FastifyRequest } from 'fastify'
import { statusPageAddress } from '../../links.ts'
import type { Admit, Copy } from '../../pages/copies.ts'
import type { PageAddress } from '../../pages/page-address.ts'
import { historyDocument, incidentDocument, statusDocument } from '../../pages/status/documents.ts'
import { feeds } from '../../pages/status/feeds.ts'
import { FEEDS, type Showing } from '../../pages/status/frame.ts'
import type { StatusPages } from '../../pages/status/public-pages.ts'
import type { PublicPage } from '../../pages/status/store.ts'
import { pageNumber } from './page-number.ts'
import {
  CACHE_CONTROL,
  LOADS_NOTHING,
  type PageKind,
  type PageRoute,
  SLIGHTLY_OLD_MS,
  send,
  type Written,
} from './page-site.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const STATUS_PAGES = { prefix: 'status', name: 'status page' } as const

export function statusPageKind({
  pages,
  publicUrl,
  takesSubscribers,
}: {
  pages: StatusPages
  publicUrl: string
  takesSubscribers: boolean
}): PageKind {
  const route = <View extends { page: PublicPage; asOfMs: number }>(
    path: string,
    find: (address: PageAddress, request: FastifyRequest, admit: Admit) => Promise<Copy<View | null>> | null,
    write: (view: View, showing: Showing) => Written,
  ): PageRoute => {
    // What is written of a copy is kept with it, for as long as it is.
    const written = new WeakMap<View, Map<string, Written>>()
    const writeOnce = (view: View, showing: Showing): Written => {
      if (showing.oldMs !== null) return write(view, showing)
      const texts = written.get(view) ?? new Map<string, Written>()
      written.set(view, texts)
      const text = texts.get(showing.base) ?? write(view, showing)
      texts.set(showing.base, text)
      return text
    }
    return {
      path,
      async answer({ address, base }, request, reply, admit) {
        const copy = await find(address, request, admit)
        if (copy === null || copy.value === null) return null
        const { value: view, isOld, ageMs } = copy
        const showing = {
          base,
          canonical: statusPageAddress(publicUrl, view.page),
          asOfMs: view.asOfMs,
          oldMs: isOld && ageMs >= SLIGHTLY_OLD_MS ? ageMs : null,
          takesSubscribers,
        }
        return send(reply.header('cache-control', CACHE_CONTROL), 200, writeOnce(view, showing))
      },
    }
  }

  return {
    ...STATUS_PAGES,
    exists: async (address, admit) => (await pages.status(address, admit)).value !== null,
    routes: [
      route('', (address, _request, admit) => pages.status(address, admit), statusDocument),
      route(
        '/history',
        (address, request, admit) => {
          const number = pageNumber(request)
          return number === null ? null : pages.history(address, number, admit)
        },
        historyDocument,
      ),
      route(
        '/incidents/:incidentId',
        (address, request, admit) => {
          const { incidentId = '' }: { incidentId?: string } = Object(request.params)
          return UUID.test(incidentId) ? pages.incident(address, incidentId, admit) : null
        },
        incidentDocument,
      ),
      ...FEEDS.map(({ file, type }) =>
        route(
          `/${file}`,
          (address, _request, admit) => pages.status(address, admit),
          (view, { canonical }) => ({ type, text: feeds[file](view, canonical), policy: LOADS_NOTHING }),
        ),
      ),
    ],
  }
}
