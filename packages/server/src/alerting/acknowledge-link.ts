/**
 * The link by which whoever reads a message says to be on its trouble. Its token names the check, the trouble and the
 * channel, says until when it is good, and is signed: nothing of it is stored. In base64url:
 *
 * check 16 bytes, episode 8 bytes, channel 4 bytes, end in seconds 4 bytes, signature 16 bytes
 */
import type { AlertMessage } from '@vedette/schema'
import { SIGNATURE_BYTES } from '../secrets/seal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { newsOf } from './channels/news.ts'

const PURPOSE = 'acknowledge'
const GOOD_FOR_MS = 7 * 86_400_000
const NAMED_BYTES = 32
/** Enough to tell one trouble of a check from another; the signature keeps others out. */
const EPISODE_BYTES = 8

export interface SecretLink {
  url: string
  /** The part of it that must not be shown to others. */
  secret: string
}

export interface NamedByLink {
  checkId: string
  channelId: number
  expiresAtMs: number
  isAbout(episodeId: string): boolean
}

/** Messages that open or continue trouble of a check have one. */
export function acknowledgeLinks(secrets: Secrets, urlOf: (token: string) => string, nowMs: () => number) {
  return (message: AlertMessage, channelId: number): SecretLink | null => {
    const news = newsOf(message.ALERT_TYPE)
    if (news !== 'failure' && news !== 'degraded') return null
    const named = Buffer.alloc(NAMED_BYTES)
    bytesOf(message.CHECK_ID).copy(named)
    bytesOf(message.EPISODE_ID).copy(named, 16, 0, EPISODE_BYTES)
    named.writeUInt32BE(channelId, 24)
    named.writeUInt32BE(Math.ceil((nowMs() + GOOD_FOR_MS) / 1000), 28)
    const secret = Buffer.concat([named, secrets.sign(PURPOSE, named)]).toString('base64url')
    return { url: urlOf(secret), secret }
  }
}

/** Null for what was not made here. An end that has passed is for the caller to judge. */
export function readAcknowledgeToken(secrets: Secrets, token: string): NamedByLink | null {
  if (!/^[\w-]{64}$/.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== NAMED_BYTES + SIGNATURE_BYTES) return null
  const named = bytes.subarray(0, NAMED_BYTES)
  if (!secrets.isSigned(PURPOSE, named, bytes.subarray(NAMED_BYTES))) return null
  const episode = named.subarray(16, 16 + EPISODE_BYTES)
  return {
    checkId: named.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    channelId: named.readUInt32BE(24),
    expiresAtMs: named.readUInt32BE(28) * 1000,
    isAbout: (episodeId) => bytesOf(episodeId).subarray(0, EPISODE_BYTES).equals(episode),
  }
}

const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex')
