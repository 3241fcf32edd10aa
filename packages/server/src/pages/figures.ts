/** Figures as pages write them. */

/** Of a share; never rounded up to 100 %. */
export function percent(share: number): string {
  const hundredths = Math.floor(share * 10_000 + 1e-6)
  return `${(hundredths / 100).toFixed(hundredths === 10_000 || hundredths === 0 ? 0 : 2)} %`
}

/** With three digits at least where there are as many, and no more places than matter. */
export function milliseconds(ms: number): string {
  if (ms < 1000) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`
}
