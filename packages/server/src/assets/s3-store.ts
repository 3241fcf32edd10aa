/** Files in a bucket that speaks as S3 does, addressed by path. */
import http from 'node:http'
import https from 'node:https'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type AssetStore, NoRoom, type StoredFile } from './asset-store.ts'
import { amzDate, authorization, type SigningKey, UNSIGNED } from './s3-signature.ts'

export interface BucketSettings extends SigningKey {
  origin: string
  /** The bucket, and the folder in it if there is one. Begins with a slash. */
  path: string
}

/** Between two bytes. */
const SILENT_MS = 20_000

interface Ask {
  method: 'GET' | 'PUT' | 'DELETE'
  /** Below the path of the settings. */
  key?: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  content?: Readable
}

export function s3Store(settings: BucketSettings, nowMs: () => number = Date.now): AssetStore {
  const client = settings.origin.startsWith('https:') ? https : http
  const agent = new client.Agent({ keepAlive: true })
  const [, bucket = '', ...folders] = settings.path.split('/')
  const prefix = folders.length === 0 ? '' : `${folders.join('/')}/`

  const ask = async ({ method, key, query = {}, headers = {}, content }: Ask): Promise<http.IncomingMessage> => {
    const url = new URL(`/${bucket}/${key === undefined ? '' : prefix + key}`, settings.origin)
    url.search = new URLSearchParams(query).toString()
    const signed = {
      ...headers,
      host: url.host,
      'x-amz-date': amzDate(nowMs()),
      'x-amz-content-sha256': UNSIGNED,
    }
    const request = client.request(url, {
      method,
      agent,
      timeout: SILENT_MS,
      headers: { ...signed, authorization: authorization(settings, { method, url, headers: signed }) },
    })
    request.on('timeout', () => request.destroy(new Error(`The bucket says nothing for ${SILENT_MS / 1000} s.`)))
    const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).once('error', reject)
    })
    // An answer may come before all was sent, and then it says why.
    const sent = content === undefined ? Promise.resolve(void request.end()) : pipeline(content, request)
    const [response] = await Promise.all([answered, Promise.race([sent, answered])])
    return response
  }

  return {
    description: `${settings.origin}${settings.path}`,
    async put(key, content, size) {
      const headers = { 'content-length': String(size), 'content-type': 'application/octet-stream' }
      const response = await ask({ method: 'PUT', key, headers, content })
      if (response.statusCode === 507) throw new NoRoom('The bucket is full.')
      await expectSuccess(response)
    },
    async read(key, range) {
      const headers: Record<string, string> = range === null ? {} : { range: `bytes=${range.first}-${range.last}` }
      const response = await ask({ method: 'GET', key, headers })
      if (response.statusCode === 404) {
        response.resume()
        return null
      }
      if (response.statusCode !== 200 && response.statusCode !== 206) await expectSuccess(response)
      return response
    },
    async delete(key) {
      const response = await ask({ method: 'DELETE', key })
      if (response.statusCode === 404) response.resume()
      else await expectSuccess(response)
    },
    async *list(): AsyncIterable<StoredFile> {
      let next: string | undefined
      do {
        const page = { 'list-type': '2', prefix, ...(next === undefined ? {} : { 'continuation-token': next }) }
        const listed = await expectSuccess(await ask({ method: 'GET', query: page }))
        for (const [, entry = ''] of listed.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          const key = textOf(entry, 'Key')
          if (key.startsWith(prefix))
            yield { key: key.slice(prefix.length), modifiedAtMs: Date.parse(textOf(entry, 'LastModified')) }
        }
        next = textOf(listed, 'IsTruncated') === 'true' ? textOf(listed, 'NextContinuationToken') : undefined
      } while (next !== undefined && next !== '')
    },
  }
}

/** @throws Error that says what the bucket said, without anything that was sent */
async function expectSuccess(response: http.IncomingMessage): Promise<string> {
  const said = await text(response)
  const status = response.statusCode ?? 0
  if (status >= 200 && status < 300) return said
  throw new Error(`The bucket answered ${status} ${textOf(said, 'Code') || said.slice(0, 200)}`.trim())
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Of an element that stands once. */
function textOf(xml: string, name: string): string {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''
  return found.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => ENTITIES[entity] ?? '')
}
