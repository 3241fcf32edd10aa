/** When an answer counts as slow, as a form holds it. */

/** Milliseconds as typed; empty switches a threshold off. */
export interface Thresholds {
  degradedResponseTime: string
  maxResponseTime: string
}

export const draftThresholds = (check: {
  degradedResponseTime: number | null
  maxResponseTime: number | null
}): Thresholds => ({
  degradedResponseTime: check.degradedResponseTime === null ? '' : String(check.degradedResponseTime),
  maxResponseTime: check.maxResponseTime === null ? '' : String(check.maxResponseTime),
})

export const writeThresholds = ({ degradedResponseTime, maxResponseTime }: Thresholds) => ({
  degradedResponseTime: readMs(degradedResponseTime),
  maxResponseTime: readMs(maxResponseTime),
})

const readMs = (text: string): number | null => (text.trim() === '' ? null : Number(text))
