/** Numbers as people read them. */
const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 })
const oneDigit = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })
const twoDigits = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })

export const formatCount = (count: number): string => whole.format(count)

/** 0.4 ms, 12 ms, 1,240 ms, 12.5 s */
export function formatMs(ms: number): string {
  if (ms >= 10_000) return `${oneDigit.format(ms / 1000)} s`
  return `${(ms < 10 ? oneDigit : whole).format(ms)} ms`
}

/** Never rounds up to 100 what is not whole. */
export function formatPercent(percent: number): string {
  return `${twoDigits.format(percent < 100 ? Math.min(99.99, percent) : 100)} %`
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${oneDigit.format(bytes / 1000)} kB` : `${oneDigit.format(bytes / 1_000_000)} MB`
}
