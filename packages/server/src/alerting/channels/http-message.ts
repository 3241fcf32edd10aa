/** What is said over HTTP. */
import type { IncomingHttpHeaders } from 'node:http'

export interface HttpRequest {
  method: string
  url: URL
  /** Lower-case names. */
  headers: Record<string, string | string[]>
  body: string | null
}

export interface HttpAnswer {
  status: number
  headers: IncomingHttpHeaders
  /** The beginning of the body. */
  body: string
  retryAfterMs: number | null
}
