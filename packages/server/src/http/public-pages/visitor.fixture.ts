/** Somebody without a key who looks at public pages. */
import { request as httpRequest } from 'node:http'
import type { TestServer } from '../../testing/test-server.ts'

export interface Read {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** As a browser asks; `fetch` does not let us say the host. A body is sent as forms are. */
export async function read(
  server: TestServer,
  path: string,
  { method = 'GET', body, ...headers }: Record<string, string> = {},
): Promise<Read> {
  const form = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
  return new Promise((resolve, reject) => {
    const call = httpRequest(new URL(path, server.url), {
      method,
      headers: { accept: 'text/html', ...form, ...headers },
    })
    call.on('error', reject)
    call.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      )
    })
    call.end(body)
  })
}
