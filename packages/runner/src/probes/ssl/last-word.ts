/**
 * In TLS 1.3 the client is done before the server has looked at the client's certificate, or at its having none. So we
 * take our leave at once and hear what the server says to that: goodbye, or that it does not let us in.
 */
import type { TLSSocket } from 'node:tls'
import { isAboutCertificate } from '../http/client-certificate.ts'

/** Who has not answered our leave-taking by then has nothing against us. */
const PATIENCE_MS = 1000

/** Why the server does not let us in after all; null: it does. */
export function lastWord(socket: TLSSocket, signal: AbortSignal): Promise<Error | null> {
  if (socket.getProtocol() !== 'TLSv1.3') return Promise.resolve(null)
  return new Promise((resolve) => {
    const finish = (alert: Error | null) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', accept)
      resolve(alert)
    }
    const accept = () => finish(null)
    const timer = setTimeout(accept, PATIENCE_MS)
    signal.addEventListener('abort', accept)
    socket.once('error', (error) => finish(isAboutCertificate(error) ? error : null))
    // A ticket for another session, and data, are given to those who are let in.
    for (const event of ['session', 'data', 'end', 'close']) socket.once(event, accept)
    socket.end()
  })
}
