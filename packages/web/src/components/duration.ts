/** Spans of time as people say them. */
export function formatDistance(ms: number): string {
  if (Math.abs(ms) < 1000) return 'now'
  return ms < 0 ? `${formatDuration(-ms)} ago` : `in ${formatDuration(ms)}`
}

/** One unit for short spans, two for long: “12 s”, “4 min”, “3 h 20 min”, “5 d 2 h”. */
export function formatDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  const days = Math.floor(hours / 24)
  return hours % 24 === 0 || days > 13 ? `${days} d` : `${days} d ${hours % 24} h`
}
