/**
 * Token buckets: a bucket holds `requests` tokens, each call takes one, and they flow back evenly within `seconds`. A
 * caller may so use its whole allowance at once, and goes on at the even pace.
 */
import type { Rate } from '@vedette/schema'

export interface Bucket {
  /** What was in it, fractions included … */
  tokens: number
  /** … at this time. */
  atMs: number
}

export interface Draw {
  bucket: Bucket
  isAllowed: boolean
  /** Whole calls that may follow at once. */
  remaining: number
  /** When the bucket is full again. */
  fullAtMs: number
  /** How long until the next call is allowed; 0 when one may follow at once. */
  waitMs: number
}

/** Takes a token, if there is one. A bucket that is not known is full; a refused call costs nothing. */
export function draw(bucket: Bucket | undefined, rate: Rate, nowMs: number): Draw {
  const msAToken = (rate.seconds * 1000) / rate.requests
  const filled = bucket === undefined ? rate.requests : contents(bucket, rate, nowMs)
  const isAllowed = filled >= 1
  const tokens = isAllowed ? filled - 1 : filled
  // A clock that went back must not hand out what flowed in twice.
  const atMs = Math.max(nowMs, bucket?.atMs ?? nowMs)
  return {
    bucket: { tokens, atMs },
    isAllowed,
    remaining: Math.floor(tokens),
    fullAtMs: atMs + (rate.requests - tokens) * msAToken,
    waitMs: tokens >= 1 ? 0 : (1 - tokens) * msAToken + (atMs - nowMs),
  }
}

function contents(bucket: Bucket, rate: Rate, nowMs: number): number {
  const flowedIn = (Math.max(0, nowMs - bucket.atMs) * rate.requests) / (rate.seconds * 1000)
  return Math.min(rate.requests, bucket.tokens + flowedIn)
}
