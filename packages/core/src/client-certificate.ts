/** Which of an account's client certificates a run shows to a host. */

export interface CertificateForHost {
  /** A host name; `*` stands for any characters. */
  host: string
  createdAtMs: number
}

/** One for the very host before one with wildcards; of several the newest. Null: none is for this host. */
export function chooseCertificate<C extends CertificateForHost>(host: string, certificates: readonly C[]): C | null {
  const name = host.toLowerCase()
  let chosen: C | null = null
  for (const certificate of certificates) {
    if (!matchesGlob(certificate.host.toLowerCase(), name)) continue
    if (chosen === null || rank(certificate) > rank(chosen)) chosen = certificate
    else if (rank(certificate) === rank(chosen) && certificate.createdAtMs > chosen.createdAtMs) chosen = certificate
  }
  return chosen
}

function rank({ host }: CertificateForHost): number {
  return host.includes('*') ? 0 : 1
}

/** Goes back to the last star only, so that no pattern takes long. */
function matchesGlob(pattern: string, text: string): boolean {
  let at = 0
  let place = 0
  let star = -1
  let resume = 0
  while (place < text.length) {
    if (pattern[at] === '*') {
      star = at
      resume = place
      at += 1
    } else if (pattern[at] === text[place]) {
      at += 1
      place += 1
    } else if (star >= 0) {
      resume += 1
      place = resume
      at = star + 1
    } else return false
  }
  while (pattern[at] === '*') at += 1
  return at === pattern.length
}
