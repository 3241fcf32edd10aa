/** Calls an operation of the API as its route describes it. The only place that turns a route into a request. */
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, Route } from '@vedette/schema'
import { readRefusal, Unreachable } from './refusal.ts'

type Needed<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [N in Name]?: undefined }
  : { readonly [N in Name]: Value }

export type CallInput<R extends Route> = Needed<'params', ParamsOf<R>> &
  Needed<'body', BodyOf<R>> & { readonly query?: QueryOf<R>; readonly signal?: AbortSignal } & AnyInput

interface AnyInput {
  params?: object | undefined
  query?: object | undefined
  body?: unknown
  signal?: AbortSignal | undefined
}

export async function call<R extends Route>(route: R, input: CallInput<R>): Promise<AnswerOf<R>> {
  return read(await send(route, input))
}

export interface Page<Items> {
  items: Items
  /** How many there are on all pages. */
  total: number
}

/** For lists: the items with how many there are in all, which the server says as `content-range: 0-9/42`. */
export async function callPage<R extends Route>(route: R, input: CallInput<R>): Promise<Page<AnswerOf<R>>> {
  const response = await send(route, input)
  const total = Number(response.headers.get('content-range')?.split('/')[1])
  const items = await read<AnswerOf<R>>(response)
  return { items, total: Number.isInteger(total) ? total : Array.isArray(items) ? items.length : 0 }
}

/** Sends a file, and tells how much of it is on its way: a share of one. */
export async function upload<R extends Route>(
  route: R,
  file: Blob,
  { onProgress, signal }: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<AnswerOf<R>> {
  const response = await new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(route.method, route.path)
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
    request.onload = () =>
      resolve(new Response(request.responseText, { status: request.status, statusText: request.statusText }))
    request.onerror = () => reject(new Unreachable('The upload broke off before the server had answered. Try again.'))
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
  if (!response.ok) throw await readRefusal(response)
  return read(response)
}

async function send(route: Route, { params, query, body, signal }: AnyInput): Promise<Response> {
  const init: RequestInit = {
    method: route.method,
    credentials: 'same-origin',
    headers: { accept: 'application/json' },
  }
  if (signal) init.signal = signal
  if (body !== undefined) {
    init.headers = { accept: 'application/json', 'content-type': 'application/json' }
    init.body = JSON.stringify(body)
  }
  const response = await fetch(pathOf(route, params) + searchOf(query), init).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw new Unreachable('The server cannot be reached. Check the connection; this page tries again by itself.', {
      cause,
    })
  })
  if (!response.ok) throw await readRefusal(response)
  return response
}

/** The route is the promise of what comes: the same schema that the server serialises with. */
async function read<Answer>(response: Response): Promise<Answer> {
  const text = await response.text()
  return JSON.parse(text === '' ? 'null' : text)
}

function pathOf(route: Route, params: object = {}): string {
  const values = new Map(Object.entries(params))
  return route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))))
}

function searchOf(query: object = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') search.append(name, String(one))
    }
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}
