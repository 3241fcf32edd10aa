/** What of a webhook's configuration people may see, and what must not come back from a receiver. */
import type { KeyValue, WebhookConfig } from '@vedette/schema'
import type { ChannelSecrets } from './channel.ts'
import { isSecretItem, isSecretName, isSecretSegment, MASK, maskItem, maskUrl } from './mask.ts'

/** Shorter values would be found by chance. */
const SHORTEST_SCRUBBED = 4

export const webhookSecrets: ChannelSecrets<'WEBHOOK'> = {
  mask: (config) => ({
    ...config,
    url: maskUrl(config.url),
    ...(config.headers && { headers: config.headers.map(maskItem) }),
    ...(config.queryParameters && { queryParameters: config.queryParameters.map(maskItem) }),
    ...(config.webhookSecret && { webhookSecret: MASK }),
  }),
  restore: (sent, stored) => ({
    ...sent,
    url: sent.url === maskUrl(stored.url) ? stored.url : sent.url,
    ...(sent.headers && { headers: restoreItems(sent.headers, stored.headers ?? []) }),
    ...(sent.queryParameters && {
      queryParameters: restoreItems(sent.queryParameters, stored.queryParameters ?? []),
    }),
    ...(sent.webhookSecret === MASK && stored.webhookSecret && { webhookSecret: stored.webhookSecret }),
  }),
}

/** A name may be there more than once: the first mask of a name stands for the first secret of that name. */
function restoreItems(sent: readonly KeyValue[], stored: readonly KeyValue[]): KeyValue[] {
  const hidden = stored.filter((item) => maskItem(item).value === MASK)
  return sent.map((item) => {
    const place = item.value === MASK ? hidden.findIndex(({ key }) => key === item.key) : -1
    const [secret] = place < 0 ? [] : hidden.splice(place, 1)
    return secret === undefined ? item : { ...item, value: secret.value }
  })
}

/** The literal secrets of a configuration, to be cut out of what a receiver echoes. */
export function secretsOf(config: WebhookConfig): string[] {
  const items = [...(config.headers ?? []), ...(config.queryParameters ?? [])]
  const url = URL.parse(config.url)
  return [
    config.webhookSecret ?? '',
    ...items.filter(isSecretItem).flatMap(({ value }) => [value, ...value.split(' ')]),
    ...(url === null ? [] : [url.password, decoded(url.password), ...url.pathname.split('/').filter(isSecretSegment)]),
    ...(url === null ? [] : [...url.searchParams].flatMap(([name, value]) => (isSecretName(name) ? [value] : []))),
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
