/** What anybody may look up: runtimes, and the addresses from which checks come. */
import { RUNTIME_FACTS, RUNTIMES, type Runtime, routes, SCRIPT_PACKAGES } from '@vedette/schema'
import type { FastifyReply } from 'fastify'
import { notFound } from '../../app-error.ts'
import type { StaticIps } from '../../static-ips.ts'
import type { Serve } from '../serve.ts'

export function serveCatalogues(serve: Serve, staticIps: StaticIps): void {
  serve(routes.listRuntimes, async () => RUNTIMES.map(present))

  serve(routes.getRuntime, async ({ params }) => {
    const name = RUNTIMES.find((known) => known === params.id)
    if (name === undefined) throw notFound()
    return present(name)
  })

  const v4 = Object.values(staticIps.v4).flat()
  const v6 = Object.values(staticIps.v6).flat()
  serve(routes.listStaticIps, async () => v4)
  serve(routes.staticIpsByRegion, async () => copyOf(staticIps.v4))
  serve(routes.staticIpsText, async ({ reply }) => oneALine(v4, reply))
  serve(routes.listStaticIpv6s, async () => v6)
  serve(routes.staticIpv6sByRegion, async () => copyOf(staticIps.v6))
  serve(routes.staticIpv6sText, async ({ reply }) => oneALine(v6, reply))
}

function present(name: (typeof RUNTIMES)[number]): Runtime {
  const facts = RUNTIME_FACTS[name]
  return {
    name,
    ...facts,
    runtimeEndOfLife: '',
    description: `Stands for Node.js ${facts.nodeJsVersion}. This installation runs every runtime on Node.js ${process.version}.`,
    dependencies: { ...SCRIPT_PACKAGES },
  }
}

function copyOf(byRegion: StaticIps['v4']): Record<string, string[]> {
  return Object.fromEntries(Object.entries(byRegion).map(([region, addresses]) => [region, [...addresses]]))
}

function oneALine(addresses: readonly string[], reply: FastifyReply): string {
  reply.type('text/plain; charset=utf-8')
  return addresses.map((address) => `${address}\n`).join('')
}
