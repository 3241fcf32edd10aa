/** How much is measured: enough to be quoted, or with `BENCH_SMOKE=1` just enough to see that it runs. */
export const IS_SMOKE = process.env.BENCH_SMOKE === '1'

export const perSecond = (rate: number): number =>
  IS_SMOKE ? Math.min(rate, Math.max(10, Math.round(rate / 50))) : rate
export const forSeconds = (seconds: number): number => (IS_SMOKE ? 3 : seconds)

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
