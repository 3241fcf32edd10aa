/** Whose certificate is watched for a check: that of the host in its address. */

/** Null where there is no address, and where its host comes of a template. */
export function certificateHost(settings: unknown): string | null {
  if (typeof settings !== 'object' || settings === null) return null
  const request: unknown = Reflect.get(settings, 'request')
  const address: unknown = typeof request === 'object' && request !== null ? Reflect.get(request, 'url') : undefined
  const url = typeof address === 'string' ? URL.parse(address.trim()) : null
  return url === null || url.hostname === '' || url.hostname.includes('{{') ? null : url.hostname
}
