/** What a runner asks about its own network and name server: what its operator chose, or else its server. */
import { isIP } from 'node:net'
import type { ControlTarget } from './own-trouble.ts'
import type { RunnerSettings } from './settings.ts'

export interface Controls {
  targets: ControlTarget[]
  controlNames: string[]
  areDefaults: boolean
}

/**
 * Without a choice a runner elsewhere asks the server that it works for: what it cannot reach while it cannot reach
 * that either says little. A server on the same machine says nothing about a network.
 */
export function controlsOf(settings: Pick<RunnerSettings, 'serverUrl' | 'controlTargets' | 'controlNames'>): Controls {
  const { controlTargets, controlNames } = settings
  if (controlTargets.length > 0 || controlNames.length > 0)
    return { targets: controlTargets, controlNames, areDefaults: false }
  const { hostname, port, protocol } = new URL(settings.serverUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isOnThisMachine(host)) return { targets: [], controlNames: [], areDefaults: true }
  const target = { host, port: Number(port) || (protocol === 'https:' ? 443 : 80) }
  const isName = isIP(host) === 0 && host.includes('.')
  return { targets: [target], controlNames: isName ? [host] : [], areDefaults: true }
}

/** In words short enough for a table. */
export function describe({ targets, controlNames }: Controls): string[] {
  return [
    ...targets.map(({ host, port }) => (isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`)),
    ...controlNames.map((name) => `name ${name}`),
  ]
}

function isOnThisMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\./.test(host)
}
