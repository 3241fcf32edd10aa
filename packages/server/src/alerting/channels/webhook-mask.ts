/** What of a webhook's configuration people may see. Works on templates as well as on what they become. */
import type { KeyValue, WebhookConfig } from '@vedette/schema'

const MASK = '***'
const SECRET_NAME =
  /auth|cookie|credential|passw|pwd|secret|session|sig$|signature|token|(^|[-_])(api|access|private)?[-_]?key$|^code$/i
/** Long and mixed: nobody would choose it as a word of a path. */
const SECRET_SEGMENT = /^(?=[^/]*[0-9])(?=[^/]*[A-Za-z])[\w.~%-]{20,}$/
/** Shorter values would be found by chance. */
const SHORTEST_SCRUBBED = 4

export function maskWebhook(config: WebhookConfig): WebhookConfig {
  const { webhookSecret: _, ...rest } = config
  return {
    ...rest,
    url: maskUrl(config.url),
    ...(config.headers && { headers: config.headers.map(maskItem) }),
    ...(config.queryParameters && { queryParameters: config.queryParameters.map(maskItem) }),
  }
}

function maskItem(item: KeyValue): KeyValue {
  return item.locked || SECRET_NAME.test(item.key) ? { ...item, value: MASK } : item
}

/** Credentials before the host, segments of the path that look like keys, and values of parameters named like secrets. */
function maskUrl(url: string): string {
  const [beforeFragment = ''] = url.split('#', 1)
  const question = beforeFragment.indexOf('?')
  const base = question < 0 ? beforeFragment : beforeFragment.slice(0, question)
  const query = question < 0 ? '' : beforeFragment.slice(question + 1)
  const schemeEnd = base.indexOf('://')
  const [authority = '', ...segments] = (schemeEnd < 0 ? base : base.slice(schemeEnd + 3)).split('/')
  const host = authority.includes('@') ? `${MASK}@${authority.slice(authority.lastIndexOf('@') + 1)}` : authority
  const path = segments.map((segment) => (SECRET_SEGMENT.test(segment) ? MASK : segment))
  const masked = [(schemeEnd < 0 ? '' : base.slice(0, schemeEnd + 3)) + host, ...path].join('/')
  return question < 0 ? masked : `${masked}?${query.split('&').map(maskParameter).join('&')}`
}

function maskParameter(parameter: string): string {
  const equals = parameter.indexOf('=')
  const [name, value] = equals < 0 ? ['', parameter] : [parameter.slice(0, equals), parameter.slice(equals + 1)]
  if (!SECRET_NAME.test(name) && !SECRET_SEGMENT.test(value)) return parameter
  return equals < 0 ? MASK : `${name}=${MASK}`
}

/** The literal secrets of a configuration, to be cut out of what a receiver echoes. */
export function secretsOf(config: WebhookConfig): string[] {
  const items = [...(config.headers ?? []), ...(config.queryParameters ?? [])]
  const url = URL.parse(config.url)
  return [
    config.webhookSecret ?? '',
    ...items
      .filter((item) => item.locked || SECRET_NAME.test(item.key))
      .flatMap(({ value }) => [value, ...value.split(' ')]),
    ...(url === null
      ? []
      : [url.password, decoded(url.password), ...url.pathname.split('/').filter((s) => SECRET_SEGMENT.test(s))]),
    ...(url === null ? [] : [...url.searchParams].flatMap(([name, value]) => (SECRET_NAME.test(name) ? [value] : []))),
  ].filter((secret) => secret.length >= SHORTEST_SCRUBBED)
}

export function scrub(text: string, secrets: readonly string[]): string {
  // The longest first: a secret may be part of another one.
  return secrets.toSorted((a, b) => b.length - a.length).reduce((cut, secret) => cut.replaceAll(secret, MASK), text)
}

/** Percent-encoding undone, where it is one. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
