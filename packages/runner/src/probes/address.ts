/** The address to dial for a host, within the time of the attempt. */
import { ownFailure } from './http/failure.ts'
import type { RunContext } from './probe.ts'

/**
 * Looking up a name cannot be called back: its answer is left alone when time is up. Who has not answered by then is our
 * name server, so the target is not blamed.
 */
export function addressWithin(
  host: string,
  family: 'IPv4' | 'IPv6' | undefined,
  { dialer, signal, limitMs }: Pick<RunContext, 'dialer' | 'signal' | 'limitMs'>,
): Promise<string> {
  return untilAborted(dialer.addressOf(host, family === 'IPv6' ? 6 : 4), signal, () =>
    ownFailure('dns', 'ETIMEDOUT', `our name server did not answer for ${host} within ${limitMs / 1000} s`),
  )
}

/** Work that cannot be called back is left alone when time is up. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal, failure: () => Error): Promise<T> {
  let expire = () => {}
  const expired = new Promise<never>((_, reject) => {
    expire = () => reject(failure())
    if (signal.aborted) expire()
    else signal.addEventListener('abort', expire)
  })
  try {
    return await Promise.race([work, expired])
  } finally {
    signal.removeEventListener('abort', expire)
  }
}
