/** Whether and how a failed attempt is tried again, in words. */
import type { RetryStrategy } from '@vedette/schema'

/** What the server does where nothing was chosen. */
export const AT_ONCE: RetryStrategy = {
  type: 'FIXED',
  maxRetries: 1,
  baseBackoffSeconds: 0,
  maxDurationSeconds: 600,
  sameRegion: false,
}

export const RETRY_CHOICES = ['AT_ONCE', 'NEVER', 'SINGLE_RETRY', 'FIXED', 'LINEAR', 'EXPONENTIAL'] as const
export type RetryChoice = (typeof RETRY_CHOICES)[number]

export const retryWords: Record<RetryChoice, string> = {
  AT_ONCE: 'once, right away',
  NEVER: 'not at all',
  SINGLE_RETRY: 'once, after a pause',
  FIXED: 'several times, evenly spaced',
  LINEAR: 'several times, waiting longer each time',
  EXPONENTIAL: 'several times, multiplying the wait each time',
}

export function retryChoice(retry: RetryStrategy | null | undefined): RetryChoice {
  if (retry === null) return 'NEVER'
  if (retry === undefined) return 'AT_ONCE'
  const { type, maxRetries, baseBackoffSeconds } = retry
  return type === 'FIXED' && maxRetries === 1 && baseBackoffSeconds === 0 ? 'AT_ONCE' : type
}

/** With its figures: “up to 3 times, waiting longer each time from 5 s”. */
export function retrySentence(retry: RetryStrategy | null | undefined): string {
  const choice = retryChoice(retry)
  if (!retry || choice === 'AT_ONCE') return retryWords[choice]
  const { type, maxRetries = 2, baseBackoffSeconds = 60 } = retry
  if (type === 'SINGLE_RETRY' || maxRetries === 1) return `once, after ${baseBackoffSeconds} s`
  const times = `up to ${maxRetries} times`
  switch (type) {
    case 'FIXED':
      return `${times}, every ${baseBackoffSeconds} s`
    case 'LINEAR':
      return `${times}, waiting longer each time, from ${baseBackoffSeconds} s`
    case 'EXPONENTIAL':
      return `${times}, multiplying the wait each time, from ${baseBackoffSeconds} s`
  }
}
