import { createHmac } from 'node:crypto'

/**
 * Headers by which a receiver knows a message: when it was sent, which one it is, and that it is ours. The second
 * signature covers time and id as well, so that an old message cannot be sent again as a new one.
 */
export function sign(
  body: string,
  secret: string | null,
  { deliveryId, now }: { deliveryId: string; now: Date },
): Record<string, string> {
  const known = { 'x-service-timestamp': String(now.getTime()), 'x-service-delivery-id': deliveryId }
  if (secret === null || secret === '') return known
  const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('hex')
  const seconds = Math.floor(now.getTime() / 1000)
  return {
    ...known,
    'x-service-signature': hmac(body),
    'x-service-signature-v2': `t=${seconds},v1=${hmac(`${deliveryId}.${seconds}.${body}`)}`,
  }
}
