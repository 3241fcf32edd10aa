/** Certificates for tests, made by the openssl of the machine. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Certificate {
  key: string
  cert: string
}

export interface CertificateWishes {
  expired?: boolean
  /** Valid from tomorrow on. */
  notYetValid?: boolean
  /** From now on; two by default. */
  days?: number
  /** As `openssl req -newkey` has it; by default a key on P-256. */
  key?: 'rsa:1024' | 'rsa:2048' | 'ed25519' | 'ed448' | 'ec:secp224r1'
  digest?: 'sha1' | 'md5'
  /** Lines such as `tlsfeature=status_request`. */
  extensions?: string[]
  subject?: string
}

export interface Authority {
  cert: string
  /** A certificate for names such as `DNS:localhost,IP:127.0.0.1`. */
  issue(names: string, wishes?: CertificateWishes): Certificate
  /** One that it vouches for. */
  intermediate(wishes?: CertificateWishes): Authority
  /** A certificate for the key of another authority. */
  vouchFor(other: Authority): string
  /** Where its files are. */
  directory: string
}

export function makeAuthority(subject = '/CN=Test authority'): Authority {
  const directory = scratch()
  openssl('req', '-x509', ...newKey(), ...into(directory), '-days', '2', '-subj', subject)
  return authorityAt(directory)
}

function authorityAt(directory: string): Authority {
  const at = (name: string) => join(directory, name)
  const sign = (extensions: string[], wishes: CertificateWishes, keyFile: string, certFile: string) => {
    const { key = 'ec:prime256v1', subject = '/CN=Test', digest = 'sha256' } = wishes
    writeFileSync(at('extensions'), `${[...extensions, ...(wishes.extensions ?? [])].join('\n')}\n`)
    openssl('req', ...newKey(key), '-keyout', keyFile, '-out', at('csr'), '-subj', subject)
    const what = ['-in', at('csr'), '-extfile', at('extensions'), '-out', certFile]
    const { expired = false, notYetValid = false, days = expired ? -1 : 2 } = wishes
    if (!notYetValid) {
      const signer = ['-CA', at('cert.pem'), '-CAkey', at('key.pem'), '-CAcreateserial']
      openssl('x509', '-req', ...what, ...signer, `-${digest}`, '-days', String(days))
      return
    }
    writeFileSync(at('index'), '')
    writeFileSync(
      at('config'),
      `[ca]\ndefault_ca=it\n[it]\ndatabase=${at('index')}\nserial=${at('serial')}\npolicy=any\n[any]\ncommonName=supplied\n`,
    )
    const signer = ['-cert', at('cert.pem'), '-keyfile', at('key.pem'), '-outdir', directory, '-rand_serial', '-notext']
    const dates = ['-startdate', instantIn(1), '-enddate', instantIn(3)]
    openssl('ca', '-batch', '-config', at('config'), ...what, ...signer, '-md', digest, ...dates)
  }
  return {
    directory,
    cert: readFileSync(at('cert.pem'), 'utf8'),
    issue(names, wishes = {}) {
      sign([`subjectAltName=${names}`], wishes, at('leaf.key'), at('leaf.pem'))
      return { key: readFileSync(at('leaf.key'), 'utf8'), cert: readFileSync(at('leaf.pem'), 'utf8') }
    },
    intermediate(wishes = {}) {
      const own = scratch()
      const subject = '/CN=Test intermediate'
      sign(['basicConstraints=critical,CA:TRUE'], { subject, ...wishes }, join(own, 'key.pem'), join(own, 'cert.pem'))
      return authorityAt(own)
    },
    vouchFor(other) {
      const theirs = (name: string) => join(other.directory, name)
      openssl('x509', '-x509toreq', '-in', theirs('cert.pem'), '-signkey', theirs('key.pem'), '-out', at('csr'))
      writeFileSync(at('extensions'), 'basicConstraints=critical,CA:TRUE\n')
      const signer = ['-CA', at('cert.pem'), '-CAkey', at('key.pem'), '-CAcreateserial']
      const what = ['-in', at('csr'), '-extfile', at('extensions'), '-out', at('crossed.pem')]
      openssl('x509', '-req', ...what, ...signer, '-days', '2')
      return readFileSync(at('crossed.pem'), 'utf8')
    },
  }
}

export function selfSigned({ names = 'DNS:self.test', expired = false } = {}): Certificate {
  const directory = scratch()
  const at = (name: string) => join(directory, name)
  const [key, cert, extensions] = [at('key.pem'), at('cert.pem'), at('extensions')]
  openssl('req', ...newKey(), '-keyout', key, '-out', `${cert}.csr`, '-subj', '/CN=self')
  writeFileSync(extensions, `subjectAltName=${names}\n`)
  const dates = ['-days', expired ? '-1' : '2']
  openssl('x509', '-req', '-in', `${cert}.csr`, '-signkey', key, '-extfile', extensions, ...dates, '-out', cert)
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
}

function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-test-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const into = (directory: string) => ['-keyout', join(directory, 'key.pem'), '-out', join(directory, 'cert.pem')]

function newKey(key = 'ec:prime256v1'): string[] {
  const [kind = '', curve] = key.split(':')
  const options = kind === 'ec' ? ['-newkey', 'ec', '-pkeyopt', `ec_paramgen_curve:${curve}`] : ['-newkey', key]
  return [...options, '-nodes']
}

const openssl = (...options: string[]) => execFileSync('openssl', options, { stdio: 'pipe' })

/** As certificates write it: 20260131120000Z. */
const instantIn = (days: number) =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19).replace(/\D/g, '')}Z`
