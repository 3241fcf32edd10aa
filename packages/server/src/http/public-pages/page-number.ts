import type { FastifyRequest } from 'fastify'

const HIGHEST_PAGE = 10_000

/** What the query says, from 1; null for what is no number of a page. */
export function pageNumber(request: FastifyRequest): number | null {
  const { page = '1' }: { page?: unknown } = Object(request.query)
  if (typeof page !== 'string' || !/^[1-9]\d{0,4}$/.test(page)) return null
  return Number(page) <= HIGHEST_PAGE ? Number(page) : null
}
