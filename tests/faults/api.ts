/** Calls the API as a client does, and keeps count of answers that should never be given. */
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, Route } from '@vedette/schema'

export class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface CallParts<R extends Route> {
  params?: ParamsOf<R>
  query?: QueryOf<R>
  body?: BodyOf<R>
}

export class Api {
  readonly url: string
  readonly #key: string
  /** Answers 500 and the like, with what they said; 503 is the honest one. */
  readonly broken: string[] = []

  constructor(url: string, key: string) {
    this.url = url
    this.#key = key
  }

  /** @throws Refusal for an answer without success; what `fetch` throws when there is none. */
  async call<R extends Route>(route: R, parts: CallParts<R> = {}, signal?: AbortSignal): Promise<AnswerOf<R>> {
    const { method, path }: Route = route
    const given: Record<string, unknown> = { ...parts.params }
    const url = new URL(
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(given[name])),
      this.url,
    )
    for (const [name, value] of Object.entries(parts.query ?? {})) url.searchParams.set(name, String(value))
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(parts.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
      ...(signal === undefined ? {} : { signal }),
    })
    const text = await response.text()
    if (response.status >= 500 && response.status !== 503) this.broken.push(`${method} ${url.pathname}: ${text}`)
    if (!response.ok) throw new Refusal(response.status, `${method} ${url.pathname}: ${response.status} ${text}`)
    return JSON.parse(text === '' ? 'null' : text)
  }
}
