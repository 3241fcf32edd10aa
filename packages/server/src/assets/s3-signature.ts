/** Signature version 4 of S3, in a header. The body is not part of it: it is streamed. */
import { createHash, createHmac } from 'node:crypto'

export interface SigningKey {
  accessKey: string
  secretKey: string
  region: string
}

export interface SignedRequest {
  method: string
  /** With its query. */
  url: URL
  /** Names in lower case; all of them are signed. */
  headers: Readonly<Record<string, string>>
}

export const UNSIGNED = 'UNSIGNED-PAYLOAD'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** As in `20130524T000000Z`. */
export const amzDate = (atMs: number) => new Date(atMs).toISOString().replace(/[-:]|\.\d+/g, '')

/**
 * The header `authorization`.
 *
 * @param headers with `host`, `x-amz-date` and `x-amz-content-sha256`
 */
export function authorization({ accessKey, secretKey, region }: SigningKey, request: SignedRequest): string {
  const date = request.headers['x-amz-date'] ?? ''
  const names = Object.keys(request.headers).sort()
  const canonical = [
    request.method,
    encodedPath(request.url.pathname),
    sortedQuery(request.url.searchParams),
    ...names.map((name) => `${name}:${request.headers[name]?.trim().replace(/ +/g, ' ')}`),
    '',
    names.join(';'),
    request.headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${secretKey}`, date.slice(0, 8)), region))
  const signature = hmac(key, text).toString('hex')
  return `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`
}

function sortedQuery(params: URLSearchParams): string {
  return [...params]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&')
}

const encodedPath = (path: string) => path.split('/').map(decodeURIComponent).map(encoded).join('/')

const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
