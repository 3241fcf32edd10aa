/** Lists in pages: the headers that tell where one is. */
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface Page {
  limit: number
  offset: number
}

export function pageOf(query: { limit?: number | undefined; page?: number | undefined }): Page {
  const limit = query.limit ?? 10
  return { limit, offset: ((query.page ?? 1) - 1) * limit }
}

/** `content-range: 0-9/42` (`*` instead of the range for an empty page) and `link` to the next and the last page. */
export function tellPage(request: FastifyRequest, reply: FastifyReply, page: Page, count: number, total: number): void {
  const range = count === 0 ? '*' : `${page.offset}-${page.offset + count - 1}`
  reply.header('content-range', `${range}/${total}`)
  const last = Math.max(1, Math.ceil(total / page.limit))
  const number = page.offset / page.limit + 1
  if (number >= last) return
  const link = (to: number, rel: string) => {
    const url = new URL(request.url, 'http://host')
    url.searchParams.set('page', String(to))
    return `<${url.pathname}${url.search}>; rel="${rel}"`
  }
  reply.header('link', `${link(number + 1, 'next')}, ${link(last, 'last')}`)
}
