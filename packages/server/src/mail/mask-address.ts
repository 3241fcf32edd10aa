/** Addresses of people as logs show them: enough to recognise one's own, too little to write to. */

const ADDRESS = /([^\s<>()[\]",:;\\@])[^\s<>()[\]",:;\\@]*@([^\s<>()[\]",:;\\@]+)/gu

/** `ann@example.org` becomes `a…@example.org`, wherever in the text an address stands. */
export function maskAddresses(text: string): string {
  return text.replace(ADDRESS, '$1…@$2')
}
