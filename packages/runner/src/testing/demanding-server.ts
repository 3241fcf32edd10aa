import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import type { Certificate } from './certificates.ts'

/** A server that lets nobody in without a certificate that it knows, and says why. */
export async function demanding(
  t: TestContext,
  protocol: '-tls1_2' | '-tls1_3',
  { server: own, clients }: { server: Certificate; clients: string },
): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-test-'))
  const at = (name: string) => join(directory, name)
  writeFileSync(at('key'), own.key)
  writeFileSync(at('cert'), own.cert)
  writeFileSync(at('ca'), clients)
  const files = ['-key', at('key'), '-cert', at('cert'), '-CAfile', at('ca')]
  const wants = ['-Verify', '2', '-verify_return_error', '-www', protocol]
  const server = spawn('openssl', ['s_server', '-accept', '127.0.0.1:0', ...files, ...wants])
  t.after(async () => {
    server.kill()
    await once(server, 'exit')
    rmSync(directory, { recursive: true })
  })
  server.stderr.resume()
  for await (const line of createInterface(server.stdout)) {
    const port = /^ACCEPT .*:(\d+)$/.exec(line)?.[1]
    if (port === undefined) continue
    server.stdout.resume()
    return Number(port)
  }
  throw new Error('the server did not start')
}
