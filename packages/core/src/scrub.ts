/** Takes secrets out of what is told: it shows that they were there, not what they are. */
import { encodings } from './template-encoding.ts'

export const MASK = '********'

/** Shorter values occur everywhere by chance: masking them would only garble the text. */
const SHORTEST_SECRET = 4

/** Takes secrets out of a text. */
export type Scrub = (text: string) => string

/** Secrets are found as they are, and as targets repeat them: in an address, in JSON, in HTML or encoded. */
export function scrubber(secrets: readonly string[]): Scrub {
  const spellings = new Set<string>()
  for (const secret of secrets) {
    if (secret.length >= SHORTEST_SECRET) for (const spelling of spellingsOf(secret)) spellings.add(spelling)
  }
  if (spellings.size === 0) return (text) => text
  // The longest first, so that no part of one is left over from another.
  const ordered = [...spellings].sort((a, b) => b.length - a.length)
  const mayHold = finderOf(ordered)
  return (text) =>
    mayHold(text)
      ? scrubCut(
          ordered.reduce((rest, secret) => rest.replaceAll(secret, MASK), text),
          ordered,
        )
      : text
}

/** Every text in a value, and every key. What holds none of the secrets is the same value as before. */
export function scrubTexts(value: unknown, scrub: Scrub): unknown {
  if (typeof value === 'string') return scrub(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items: unknown[] = value.map((item) => scrubTexts(item, scrub))
    return items.every((item, at) => item === value[at]) ? value : items
  }
  const entries = Object.entries(value).map(([key, item]) => [key, scrub(key), item, scrubTexts(item, scrub)] as const)
  if (entries.every(([key, shown, before, after]) => key === shown && before === after)) return value
  return Object.fromEntries(entries.map(([, shown, , after]) => [shown, after]))
}

function spellingsOf(secret: string): string[] {
  const bytes = utf8Of(secret)
  const encoded = encodings.url(secret)
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const spellings = [
    secret,
    encoded,
    encoded.replaceAll('%20', '+'),
    encodings.json(secret),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    encodings.html(secret),
    hex,
    hex.toUpperCase(),
  ]
  // In base64 a text looks different by where it begins in a group of three; the characters at the seams are shared
  // with what stands around it.
  for (let before = 0; before < 3; before += 1) {
    const padded = [...[0, 0].slice(0, before), ...bytes]
    const middle = base64Of(padded.slice(0, padded.length - (padded.length % 3))).slice(before === 0 ? 0 : 4)
    if (middle.length >= 2 * SHORTEST_SECRET) spellings.push(middle, middle.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return spellings
}

function utf8Of(text: string): number[] {
  const bytes: number[] = []
  for (const character of text.toWellFormed()) {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x80) bytes.push(code)
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63))
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63))
    else {
      bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63))
      bytes.push(0x80 | ((code >> 6) & 63), 0x80 | (code & 63))
    }
  }
  return bytes
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Of whole groups of three. */
function base64Of(bytes: readonly number[]): string {
  let text = ''
  for (let at = 0; at + 2 < bytes.length; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    for (const shift of [18, 12, 6, 0]) text += BASE64[(group >> shift) & 63]
  }
  return text
}

/** Beginnings of four characters fall into so many slots: each step shifts by 3 bits, so that the fifth is gone. */
const SLOTS = 4096
const step = (slot: number, code: number): number => ((slot << 3) ^ code) & (SLOTS - 1)

/**
 * Whether a text may hold one of these: one pass however many they are, since most texts hold none. Where a text was
 * shortened, a beginning is enough.
 */
function finderOf(spellings: readonly string[]): (text: string) => boolean {
  const isTaken = new Uint8Array(SLOTS)
  const bySlot = new Map<number, string[]>()
  for (const spelling of spellings) {
    let slot = 0
    for (let at = 0; at < SHORTEST_SECRET; at += 1) slot = step(slot, spelling.charCodeAt(at))
    isTaken[slot] = 1
    bySlot.set(slot, [...(bySlot.get(slot) ?? []), spelling])
  }
  return (text) => {
    const isCut = text.includes('…')
    let slot = 0
    for (let at = 0; at < text.length; at += 1) {
      slot = step(slot, text.charCodeAt(at))
      if (isTaken[slot] === 0 || at < SHORTEST_SECRET - 1) continue
      const from = at - SHORTEST_SECRET + 1
      if (isCut || bySlot.get(slot)?.some((spelling) => text.startsWith(spelling, from))) return true
    }
    return false
  }
}

/** A text that was shortened may end in the beginning of a secret. */
function scrubCut(text: string, secrets: readonly string[]): string {
  const cut = text.lastIndexOf('…')
  if (cut < 0) return text
  for (const secret of secrets) {
    for (let length = Math.min(secret.length - 1, cut); length >= SHORTEST_SECRET; length -= 1) {
      if (text.startsWith(secret.slice(0, length), cut - length)) {
        return text.slice(0, cut - length) + MASK + text.slice(cut)
      }
    }
  }
  return text
}
