/** Decides which address a host is dialled at. Only addresses that the egress policy allows come out of here. */
import { isIP } from 'node:net'
import { type EgressDecision, type EgressPolicy, judgeAddress } from '@vedette/core'
import { RequestFailure } from './failure.ts'
import type { Names } from './names.ts'

const REMEMBERED = 10_000

export class Dialer {
  readonly #names: Names
  readonly #policy: EgressPolicy
  readonly #decisions = new Map<string, EgressDecision>()

  constructor(names: Names, policy: EgressPolicy) {
    this.#names = names
    this.#policy = policy
  }

  /** The name servers of this machine: they may be asked wherever they are. */
  get nameServers(): string[] {
    return this.#names.servers
  }

  /**
   * The numeric address to dial for a host of a URL. All addresses of a name must be allowed: one that hides a
   * forbidden address among good ones is refused whole.
   */
  async addressOf(host: string, family: 4 | 6): Promise<string> {
    const literal = this.literalOf(host)
    if (literal !== null) return literal
    const addresses = await this.#names.resolve(host, family)
    for (const address of addresses) this.check(address)
    const [address] = addresses
    if (address === undefined) throw new Error(`no address came for ${host}`)
    return address
  }

  /** The address that a host of a URL spells, when it is no name. */
  literalOf(host: string): string | null {
    const literal = host.startsWith('[') ? host.slice(1, -1) : host
    if (isIP(literal) === 0) return null
    this.check(literal)
    return literal
  }

  /** Throws a failure of our own when the policy does not allow the address. */
  check(address: string): void {
    let decision = this.#decisions.get(address)
    if (decision === undefined) {
      decision = judgeAddress(address, this.#policy)
      if (this.#decisions.size >= REMEMBERED) this.#decisions.clear()
      this.#decisions.set(address, decision)
    }
    if (decision.allowed) return
    throw new RequestFailure({
      blame: 'ours',
      code: 'ERR_ADDRESS_NOT_ALLOWED',
      message: `ERR_ADDRESS_NOT_ALLOWED: ${decision.reason}`,
      phase: 'connect',
    })
  }
}
