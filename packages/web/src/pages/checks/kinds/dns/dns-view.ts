import { saveCheck } from '../../../../api/save-check.ts'
import { tryOut } from '../../../../api/try-out.ts'
import { draftShared, writeShared } from '../../form/shared-draft.ts'
import { dnsResultOf } from '../api-check-result.ts'
import type { KindView } from '../kind-view.ts'
import { DnsEssential } from './dns-essential.tsx'
import { DnsMore } from './dns-more.tsx'
import { DnsResult } from './dns-result.tsx'
import { blankDns, draftDns, nameOfDns, writeDns } from './draft.ts'

export const dnsView: KindView<'DNS'> = {
  label: 'DNS',
  about: 'Asks a name server for a record and judges the answer and the time.',
  blank: blankDns,
  drafts: (check) => ({ shared: draftShared(check), own: draftDns(check) }),
  Essential: DnsEssential,
  More: DnsMore,
  nameFor: nameOfDns,
  save: (checkId, shared, own) => saveCheck('DNS', checkId, { ...writeShared(shared), ...writeDns(own) }),
  tryOut: (checkId, shared, own, signal) =>
    tryOut('DNS', checkId, { ...writeShared(shared), ...writeDns(own) }, signal),
  inBrief: (result) => dnsResultOf(result)?.response.status ?? '',
  detailOf: dnsResultOf,
  Result: DnsResult,
}
