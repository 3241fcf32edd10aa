/** Certificates for tests, made by the openssl of the machine. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Certificate {
  key: string
  cert: string
}

export interface Authority {
  cert: string
  /** A certificate for names such as `DNS:localhost,IP:127.0.0.1`. */
  issue(names: string, options?: { expired?: boolean }): Certificate
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

export function makeAuthority(): Authority {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-test-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const at = (name: string) => join(directory, name)
  const openssl = (...options: string[]) => execFileSync('openssl', options, { stdio: 'pipe' })
  const ca = ['-keyout', at('ca.key'), '-out', at('ca.pem')]
  openssl('req', '-x509', ...NEW_KEY, ...ca, '-days', '2', '-subj', '/CN=Test authority')
  return {
    cert: readFileSync(at('ca.pem'), 'utf8'),
    issue(names, { expired = false } = {}) {
      writeFileSync(at('names'), `subjectAltName=${names}\n`)
      openssl('req', ...NEW_KEY, '-keyout', at('leaf.key'), '-out', at('leaf.csr'), '-subj', '/CN=Test')
      const signer = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-extfile', at('names')]
      const days = expired ? '-1' : '2'
      openssl('x509', '-req', '-in', at('leaf.csr'), ...signer, '-days', days, '-out', at('leaf.pem'))
      return { key: readFileSync(at('leaf.key'), 'utf8'), cert: readFileSync(at('leaf.pem'), 'utf8') }
    },
  }
}

export function selfSigned(): Certificate {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-test-'))
  try {
    const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
    execFileSync('openssl', ['req', '-x509', ...NEW_KEY, '-keyout', key, '-out', cert, '-subj', '/CN=self'], {
      stdio: 'pipe',
    })
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(directory, { recursive: true })
  }
}
