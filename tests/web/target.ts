/** Something to watch: an HTTP server on this machine that can be broken and mended. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { TestContext } from 'node:test'

export interface Target {
  url: string
  /** Answers 503 from now on. */
  break: () => void
  mend: () => void
  /** Answers nothing from now on. */
  fallSilent: () => void
}

export async function startTarget(t: TestContext): Promise<Target> {
  let healthy = true
  let silent = false
  const server = createServer((_, response) => {
    if (silent) return
    response.writeHead(healthy ? 200 : 503, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ status: healthy ? 'ok' : 'down', version: '1.2.3' }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The target has no port')
  return {
    url: `http://127.0.0.1:${address.port}/health`,
    break: () => {
      healthy = false
    },
    mend: () => {
      healthy = true
    },
    fallSilent: () => {
      silent = true
    },
  }
}
