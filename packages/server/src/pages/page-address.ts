/** Where a page is looked for: by its name below our own host, or on a domain of its own. */
export type PageAddress = { url: string } | { domain: string }

/** One text for each address. */
export function keyOf(address: PageAddress): string {
  return 'url' in address ? `/${address.url}` : address.domain
}
