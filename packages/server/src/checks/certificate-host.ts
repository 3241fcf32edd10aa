/** Whose certificate is watched for a check: that of the host in its address, or of the name that it asks for. */

/** Null where there is none, and where it comes of a template. */
export function certificateHost(settings: unknown): string | null {
  if (typeof settings !== 'object' || settings === null) return null
  const request: unknown = Reflect.get(settings, 'request')
  // Browser checks make no request of their own.
  if (request === undefined) return named(Reflect.get(settings, 'sslCheckDomain'))
  const sslConfig: unknown = Reflect.get(Object(request), 'sslConfig')
  if (sslConfig !== undefined) return nameOf(sslConfig)
  const address: unknown = typeof request === 'object' && request !== null ? Reflect.get(request, 'url') : undefined
  const url = typeof address === 'string' ? URL.parse(address.trim()) : null
  return url === null || url.hostname === '' || url.hostname.includes('{{') ? null : url.hostname
}

function nameOf(sslConfig: unknown): string | null {
  const { serverName, hostname } = Object(sslConfig)
  return named(serverName ?? hostname)
}

function named(name: unknown): string | null {
  return typeof name !== 'string' || name === '' || name.includes('{{') ? null : name.toLowerCase()
}
