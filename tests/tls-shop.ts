/** A TLS server on this machine that shakes hands, and that is all. */
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import tls from 'node:tls'
import { makeAuthority } from '../packages/runner/src/testing/certificates.ts'

/** For `localhost`, by an authority that nobody trusts, and good for less than two days. Gives its port. */
export async function startTlsShop(t: TestContext, options: tls.TlsOptions = {}): Promise<number> {
  const authority = makeAuthority()
  const { key, cert } = authority.issue('DNS:localhost')
  const server = tls.createServer({ key, cert: cert + authority.cert, ...options }, (socket) => {
    socket.on('error', () => {})
    socket.end()
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The shop has no port')
  return address.port
}
