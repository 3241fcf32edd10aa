/** The address of a request in another environment: a preview, a staging host. */

/**
 * The URL with the host of the environment, and its scheme where it names one. Path and query stay; templates in the
 * host go with it.
 */
export function atEnvironment(url: string, environment: string): string {
  const [, scheme, host] = /^(https?:\/\/)?([^/?#]+)/i.exec(environment.trim()) ?? []
  if (host === undefined) return url
  const [, ownScheme = 'https://', , rest = ''] = /^(https?:\/\/)?((?:\{\{.*?\}\}|[^/?#])*)(.*)$/is.exec(url) ?? []
  return `${scheme ?? ownScheme}${host}${rest}`
}
