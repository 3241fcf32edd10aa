import type { SslCheckResult } from '@vedette/schema'
import { saveCheck } from '../../../../api/save-check.ts'
import { tryOut } from '../../../../api/try-out.ts'
import { draftShared, writeShared } from '../../form/shared-draft.ts'
import { daysLeftWords } from '../certificate-facts.tsx'
import type { KindView } from '../kind-view.ts'
import { blankSsl, draftSsl, writeSsl } from './draft.ts'
import { SslEssential } from './ssl-essential.tsx'
import { SslMore } from './ssl-more.tsx'
import { SslResult } from './ssl-result.tsx'

export const sslView: KindView<'SSL'> = {
  label: 'SSL',
  about: 'Shakes hands with a server and judges its certificate, when it expires and how safely it speaks TLS.',
  blank: blankSsl,
  drafts: (check) => ({ shared: draftShared(check), own: draftSsl(check) }),
  Essential: SslEssential,
  More: SslMore,
  nameFor: ({ hostname, serverName }) => `Certificate of ${serverName.trim() || hostname.trim()}`.slice(0, 255),
  save: (checkId, shared, own) => saveCheck('SSL', checkId, { ...writeShared(shared), ...writeSsl(own) }),
  tryOut: (checkId, shared, own, signal) =>
    tryOut('SSL', checkId, { ...writeShared(shared), ...writeSsl(own) }, signal),
  inBrief: ({ sslCheckResult }) => (sslCheckResult ? inBrief(sslCheckResult) : ''),
  detailOf: ({ sslCheckResult }) => sslCheckResult ?? null,
  Result: SslResult,
}

function inBrief({ daysUntilExpiry, tlsVersion, baselineGrade }: SslCheckResult): string {
  const days = daysUntilExpiry === null ? null : daysLeftWords(daysUntilExpiry)
  const grade = baselineGrade === null ? null : `grade ${baselineGrade}`
  return [days, tlsVersion, grade].filter((word) => word !== null).join(', ')
}
