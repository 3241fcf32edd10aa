/** What anybody may look up: runtimes, and the addresses from which checks come. */
import { RUNTIME_FACTS, RUNTIMES, type RunnerRuntime, type Runtime, type RuntimeId, routes } from '@vedette/schema'
import type { FastifyReply } from 'fastify'
import { notFound } from '../../app-error.ts'
import type { LocationView } from '../../scheduling/location-view.ts'
import type { StaticIps } from '../../static-ips.ts'
import type { Serve } from '../serve.ts'

/** @param ownRuntimes as they are installed beside this server: told where no runner has said anything */
export function serveCatalogues(
  serve: Serve,
  staticIps: StaticIps,
  locations: () => Promise<LocationView>,
  ownRuntimes: readonly RunnerRuntime[],
): void {
  const presentAll = async () => {
    const told = (await locations()).ownRunners().flatMap(({ runtimes }) => runtimes)
    const installed = told.length > 0 ? told : ownRuntimes
    return RUNTIMES.map((name) =>
      present(
        name,
        installed.filter(({ id }) => id === name),
      ),
    )
  }
  serve(routes.listRuntimes, presentAll)

  serve(routes.getRuntime, async ({ params }) => {
    const runtime = (await presentAll()).find(({ name }) => name === params.id)
    if (runtime === undefined) throw notFound()
    return runtime
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

/** @param installed the same runtime on one machine or several */
function present(name: RuntimeId, installed: readonly RunnerRuntime[]): Runtime {
  const { playwright, ...facts } = RUNTIME_FACTS[name]
  const standsFor = `Stands for Playwright ${playwright} on Node.js ${facts.nodeJsVersion}.`
  const common = { name, ...facts, runtimeEndOfLife: '' }
  if (installed.length === 0) {
    const howTo = `Not installed here: checks that ask for it cannot run before \`vedette runtime install ${name}\` on the machine of a runner.`
    return { ...common, description: `${standsFor} ${howTo}`, dependencies: {} }
  }
  const nodeJsVersion = versionsIn(installed.map(({ node }) => node))
  const ran = versionsIn(installed.map((runtime) => runtime.playwright))
  const description =
    ran === playwright
      ? `${standsFor} Here it runs with this Playwright on Node.js ${nodeJsVersion}.`
      : `${standsFor} Here it runs with Playwright ${ran} on Node.js ${nodeJsVersion}, which understands the same scripts.`
  return { ...common, nodeJsVersion, description, dependencies: packagesOfAll(installed) }
}

/** What a script can rely on, whichever machine runs it. */
function packagesOfAll(installed: readonly RunnerRuntime[]): Record<string, string> {
  const [first] = installed
  const names = Object.keys(first?.packages ?? {}).filter((name) => installed.every(({ packages }) => name in packages))
  return Object.fromEntries(
    names.map((name) => [name, versionsIn(installed.flatMap(({ packages }) => packages[name] ?? []))]),
  )
}

const versionsIn = (versions: readonly string[]) => [...new Set(versions)].sort().join(' || ')

function copyOf(byRegion: StaticIps['v4']): Record<string, string[]> {
  return Object.fromEntries(Object.entries(byRegion).map(([region, addresses]) => [region, [...addresses]]))
}

function oneALine(addresses: readonly string[], reply: FastifyReply): string {
  reply.type('text/plain; charset=utf-8')
  return addresses.map((address) => `${address}\n`).join('')
}
