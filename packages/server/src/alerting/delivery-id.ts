/** Ids that follow from what they name, so that doing a thing twice gives the same id twice. */
import { createHash } from 'node:crypto'
import type { AlertType } from '@vedette/schema'

/** Names a notification, and every try at delivering it: receivers drop repeats by it. */
export function deliveryId(resultId: string, channelId: number, alertType: AlertType, reminder: number): string {
  return uuidOf(['notification', resultId, channelId, alertType, reminder].join(':'))
}

/** Names a trouble of a check, from its first alert to its recovery. */
export function episodeId(checkId: string, episode: string): string {
  return uuidOf(['episode', checkId, episode].join(':'))
}

/** A UUID of version 8: the hash of a text. */
export function uuidOf(text: string): string {
  const hash = createHash('sha256').update(text).digest()
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6)
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8)
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
