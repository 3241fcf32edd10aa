/**
 * Authorities that browsers have ceased to trust, by the organisation in the names of their certificates. Where they did
 * so from a date on, certificates from before it still count as good.
 */

interface Distrust {
  /** Lower case, letters and digits only. */
  organizations: readonly string[]
  /** Certificates that begin to be valid on this day or later; null: all. */
  from: string | null
  /** Who says so. */
  source: string
}

const DISTRUSTED: readonly Distrust[] = [
  {
    organizations: ['diginotar', 'diginotar b v'],
    from: null,
    source: 'https://blog.mozilla.org/security/2011/09/02/diginotar-removal-follow-up/',
  },
  {
    organizations: ['cnnic', 'china internet network information center'],
    from: null,
    source: 'https://security.googleblog.com/2015/03/maintaining-digital-certificate-security.html',
  },
  {
    organizations: ['wosign ca limited', 'startcom ltd', 'startcom ca'],
    from: null,
    source: 'https://security.googleblog.com/2017/07/final-removal-of-trust-in-wosign-and.html',
  },
  {
    organizations: [
      'symantec corporation',
      'verisign inc',
      'geotrust inc',
      'thawte inc',
      'thawte consulting',
      'thawte consulting cc',
      'equifax',
      'equifax secure',
      'equifax secure inc',
    ],
    from: null,
    source: 'https://security.googleblog.com/2017/09/chromes-plan-to-distrust-symantec.html',
  },
  {
    organizations: ['certinomis'],
    from: null,
    source: 'https://wiki.mozilla.org/CA/Certinomis_Issues',
  },
  {
    organizations: ['ac camerfirma s a', 'ac camerfirma sa', 'ac camerfirma sa cif a82743287'],
    from: null,
    source: 'https://wiki.mozilla.org/CA:Camerfirma_Issues',
  },
  {
    organizations: ['trustcor systems s de r l'],
    from: null,
    source: 'https://groups.google.com/a/mozilla.org/g/dev-security-policy/c/oxX69KFvsm4',
  },
  {
    organizations: ['e commerce monitoring gmbh'],
    from: '2024-07-01',
    source: 'https://groups.google.com/a/ccadb.org/g/public/c/wRs-zec8w7k',
  },
  {
    organizations: ['entrust inc', 'entrust net', 'affirmtrust'],
    from: '2024-11-12',
    source: 'https://security.googleblog.com/2024/06/sustaining-digital-certificate-security.html',
  },
  {
    organizations: ['chunghwa telecom co ltd', 'netlock kft', 'netlock ltd'],
    from: '2025-08-01',
    source:
      'https://security.googleblog.com/2025/05/sustaining-digital-certificate-security-chrome-root-store-changes.html',
  },
]

const byOrganization = new Map(
  DISTRUSTED.flatMap((distrust) => distrust.organizations.map((organization) => [organization, distrust] as const)),
)

export interface DistrustedIssuer {
  organization: string
  from: string | null
}

/** Whether the issuer of a certificate is distrusted, for a server's certificate that is valid from some instant on. */
export function distrustedIssuer(issuer: string, validFrom: string): DistrustedIssuer | null {
  for (const organization of organizationsIn(issuer)) {
    const distrust = byOrganization.get(plain(organization))
    if (distrust === undefined) continue
    if (distrust.from === null || validFrom >= distrust.from) return { organization, from: distrust.from }
  }
  return null
}

/** Of a name such as `C=US, O=Entrust\, Inc., CN=Entrust Root`: what stands within values is escaped. */
export function organizationsIn(name: string): string[] {
  const parts = name.matchAll(/([^=,+]+)=((?:\\.|[^\\,+])*)(?:, |\+ |$)/g)
  return Array.from(parts).flatMap(([, key, value = '']) => (key === 'O' ? [value.replace(/\\(.)/g, '$1').trim()] : []))
}

const plain = (organization: string) =>
  organization
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
