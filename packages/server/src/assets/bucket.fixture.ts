/** A bucket on loopback that keeps what it is given, in memory, and takes nothing that is not signed right. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { authorization } from './s3-signature.ts'
import type { BucketSettings } from './s3-store.ts'

const PAGE = 2

export interface Bucket {
  settings: BucketSettings
  objects: Map<string, Buffer>
  /** Answers everything with it from now on. */
  failWith(status: number): void
}

export async function startBucket(t: TestContext): Promise<Bucket> {
  const objects = new Map<string, Buffer>()
  let failure: number | null = null
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the bucket has no port')
  const settings: BucketSettings = {
    ...{ origin: `http://127.0.0.1:${address.port}`, path: '/bucket/below', region: 'test-1' },
    ...{ accessKey: 'access', secretKey: 'secret' },
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const content = await buffer(request)
    const say = (status: number, body: string | Buffer = '', headers = {}) =>
      response.writeHead(status, headers).end(body)
    const url = new URL(request.url ?? '', settings.origin)
    if (!isSigned(request, url)) return say(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>')
    if (failure !== null) return say(failure, '<Error><Code>Trouble</Code></Error>')
    const key = url.pathname.slice('/bucket/'.length)
    if (url.searchParams.has('list-type')) return say(200, listing(url.searchParams))
    const kept = objects.get(key)
    if (request.method === 'PUT') {
      objects.set(key, content)
      return say(200)
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return say(204)
    }
    if (kept === undefined) return say(404, '<Error><Code>NoSuchKey</Code></Error>')
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    return first === undefined ? say(200, kept) : say(206, kept.subarray(Number(first), Number(last) + 1))
  }

  const isSigned = ({ headers, method = '' }: IncomingMessage, url: URL): boolean => {
    const given = headers.authorization ?? ''
    const names = /SignedHeaders=([^,]+)/.exec(given)?.[1]?.split(';') ?? []
    const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]))
    return names.includes('host') && authorization(settings, { method, url, headers: signed }) === given
  }

  const listing = (query: URLSearchParams): string => {
    const all = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort()
    const from = Number(query.get('continuation-token') ?? 0)
    const page = all.slice(from, from + PAGE)
    const more = from + PAGE < all.length
    const next = more ? `<NextContinuationToken>${from + PAGE}</NextContinuationToken>` : ''
    const entries = page.map(
      (key) => `<Contents><Key>${key}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents>`,
    )
    return `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`
  }

  return {
    settings,
    objects,
    failWith: (status) => {
      failure = status
    },
  }
}
