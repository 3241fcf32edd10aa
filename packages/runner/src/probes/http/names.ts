/**
 * From names to addresses: the hosts file first, then the name servers, asked directly. `dns.lookup` is not used: it
 * blocks threads that everything else needs, has no deadline, and hides which answers there were.
 */
import { Resolver } from 'node:dns'
import { readFile, stat } from 'node:fs/promises'
import { codeOf, ownFailure, type RequestFailure, targetFailure } from './failure.ts'

export interface NamesOptions {
  /** Name servers instead of the system's, such as `127.0.0.1:5353`. */
  servers?: string[]
  hostsFile?: string
  resolverFile?: string
}

const TIMEOUT_MS = 1000
const TRIES = 2
/** Files are looked at again after this time, and read again when they changed. */
const FILES_AGE_MS = 5000

interface Local {
  hosts: ReadonlyMap<string, { 4: string[]; 6: string[] }>
  /** Domains tried after short names, as in containers. */
  search: readonly string[]
}

export class Names {
  readonly #resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  readonly #hostsFile: string
  readonly #resolverFile: string
  #local: Local | null = null
  #looking: Promise<Local> | null = null
  #lookedAt = Number.NEGATIVE_INFINITY
  #version = ''

  constructor({ servers, hostsFile = '/etc/hosts', resolverFile = '/etc/resolv.conf' }: NamesOptions = {}) {
    if (servers !== undefined) this.#resolver.setServers(servers)
    this.#hostsFile = hostsFile
    this.#resolverFile = resolverFile
  }

  /** The name servers that are asked, such as `192.0.2.53`, `127.0.0.1:5353` or `[::1]:5353`. */
  get servers(): string[] {
    return this.#resolver.getServers()
  }

  /** All addresses of one family. Throws a failure that says whose fault it is when there are none. */
  async resolve(name: string, family: 4 | 6): Promise<string[]> {
    const plain = (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase()
    // No name server is asked for these: they mean this machine, by RFC 6761.
    if (plain === 'localhost' || plain.endsWith('.localhost')) return [family === 4 ? '127.0.0.1' : '::1']
    const { hosts, search } = await this.#files()
    const known = hosts.get(plain)?.[family]
    if (known !== undefined && known.length > 0) return known
    if (!name.endsWith('.') && !plain.includes('.')) {
      for (const domain of search) {
        const found = await this.#ask(`${plain}.${domain}`, family)
        if (Array.isArray(found)) return found
      }
    }
    const found = await this.#ask(plain, family)
    if (Array.isArray(found)) return found
    throw nameFailure(found, plain, family)
  }

  /** Whether the name servers have an address for a name, whatever the hosts file says. */
  async isAnswered(name: string): Promise<boolean> {
    const found = await Promise.all([this.#ask(name, 4), this.#ask(name, 6)])
    return found.some((addresses) => Array.isArray(addresses) && addresses.length > 0)
  }

  #ask(name: string, family: 4 | 6): Promise<string[] | Error> {
    return new Promise((resolve) => {
      const answer = (error: Error | null, addresses: string[]) => resolve(error ?? addresses)
      if (family === 4) this.#resolver.resolve4(name, answer)
      else this.#resolver.resolve6(name, answer)
    })
  }

  async #files(): Promise<Local> {
    if (this.#local === null) return this.#look()
    if (performance.now() - this.#lookedAt > FILES_AGE_MS) void this.#look()
    return this.#local
  }

  #look(): Promise<Local> {
    this.#looking ??= this.#read().finally(() => {
      this.#looking = null
    })
    return this.#looking
  }

  async #read(): Promise<Local> {
    this.#lookedAt = performance.now()
    const files = [this.#hostsFile, this.#resolverFile]
    const stats = await Promise.all(files.map((file) => stat(file).catch(() => null)))
    const version = stats.map((found) => `${found?.mtimeMs} ${found?.size}`).join()
    if (this.#local !== null && version === this.#version) return this.#local
    const [hosts = '', resolver = ''] = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
    this.#version = version
    this.#local = { hosts: readHosts(hosts), search: readSearch(resolver) }
    return this.#local
  }
}

function readHosts(text: string): Local['hosts'] {
  const hosts = new Map<string, { 4: string[]; 6: string[] }>()
  for (const line of text.split('\n')) {
    const [address, ...names] = (line.split('#')[0] ?? '').trim().split(/\s+/)
    if (address === undefined || address === '') continue
    for (const name of names) {
      const entry = hosts.get(name.toLowerCase()) ?? { 4: [], 6: [] }
      entry[address.includes(':') ? 6 : 4].push(address)
      hosts.set(name.toLowerCase(), entry)
    }
  }
  return hosts
}

function readSearch(text: string): string[] {
  const lines = text.split('\n').filter((line) => /^(?:search|domain)\s/.test(line))
  return (lines.at(-1)?.trim().split(/\s+/).slice(1, 7) ?? []).filter((domain) => domain !== '.')
}

function nameFailure(error: Error, name: string, family: 4 | 6): RequestFailure {
  const code = codeOf(error)
  const record = family === 4 ? 'A' : 'AAAA'
  switch (code) {
    case 'ENOTFOUND':
      return targetFailure('dns', code, `the name ${name} does not exist`)
    case 'ENODATA':
      return targetFailure('dns', code, `the name ${name} has no ${record} record`)
    case 'ESERVFAIL':
      return targetFailure('dns', code, `the name servers of ${name} do not answer properly`)
    case 'EBADNAME':
      return targetFailure('dns', code, `${name} is no host name`)
    case 'ETIMEOUT':
      return ownFailure('dns', code, `our name server did not answer for ${name} within ${TIMEOUT_MS * TRIES} ms`)
    case 'ECONNREFUSED':
      return ownFailure('dns', code, `our name server cannot be reached to look up ${name}`)
    default:
      return ownFailure('dns', code, `looking up ${name} failed at our name server`)
  }
}
