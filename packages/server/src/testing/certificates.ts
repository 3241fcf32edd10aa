/** Certificates for tests, made by the openssl of the machine. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Signed by itself; its key is encrypted when there is a passphrase. */
export function selfSigned(passphrase?: string): { key: string; cert: string } {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-test-'))
  try {
    const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
    const locked = passphrase === undefined ? ['-nodes'] : ['-passout', `pass:${passphrase}`]
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
    const files = ['-keyout', key, '-out', cert]
    execFileSync('openssl', ['req', '-x509', ...curve, ...locked, ...files, '-subj', '/CN=self'], { stdio: 'pipe' })
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(directory, { recursive: true })
  }
}
