/**
 * Whether the way out of this machine is known to be cut, from what the kernel has found out by itself: nobody is
 * asked. Only for IPv4 and Linux; elsewhere nothing is known.
 */
import { readFile } from 'node:fs/promises'

/** The default gateways that do not answer in their own network; none when one of them does, or none is known. */
export async function deadGateway(
  routeFile = '/proc/net/route',
  neighbourFile = '/proc/net/arp',
): Promise<string | null> {
  const [routes, neighbours] = await Promise.all([routeFile, neighbourFile].map(linesOf))
  const gateways = (routes ?? []).flatMap(([, destination, gateway, flags]) => {
    const isDefault =
      destination === '00000000' && gateway !== undefined && (Number.parseInt(flags ?? '0', 16) & 3) === 3
    return isDefault ? [addressOf(gateway)] : []
  })
  const isDead = (gateway: string) =>
    (neighbours ?? []).some(([address, , flags]) => address === gateway && flags === '0x0')
  const [first] = gateways
  return first !== undefined && gateways.every(isDead) ? first : null
}

async function linesOf(file: string): Promise<string[][]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
}

/** The kernel writes the four bytes in the order of the machine, which is the reverse on all that Node runs on. */
function addressOf(hex: string): string {
  return [6, 4, 2, 0].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join('.')
}
