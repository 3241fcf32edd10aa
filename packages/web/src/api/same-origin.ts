/**
 * An address of this server, asked for where the page itself came from. Answers name the server as others reach it, and a
 * page may have been opened by another of its names: nothing is loaded into it from there.
 */
export function sameOrigin(address: string): string {
  const { pathname, search } = new URL(address, window.location.href)
  return `${pathname}${search}`
}
