import { saveCheck } from '../../../../api/save-check.ts'
import { tryOut } from '../../../../api/try-out.ts'
import { formatMs } from '../../../../components/number.ts'
import { draftShared, writeShared } from '../../form/shared-draft.ts'
import type { KindView } from '../kind-view.ts'
import { blankIcmp, draftIcmp, writeIcmp } from './draft.ts'
import { IcmpEssential } from './icmp-essential.tsx'
import { IcmpMore } from './icmp-more.tsx'
import { IcmpResult } from './icmp-result.tsx'

export const icmpView: KindView<'ICMP'> = {
  label: 'ICMP',
  about: 'Pings a host several times and judges how many pings are lost and how long the others take.',
  blank: blankIcmp,
  drafts: (check) => ({ shared: draftShared(check), own: draftIcmp(check) }),
  Essential: IcmpEssential,
  More: IcmpMore,
  nameFor: ({ hostname }) => `Ping ${hostname.trim()}`.slice(0, 255),
  save: (checkId, shared, own) => saveCheck('ICMP', checkId, { ...writeShared(shared), ...writeIcmp(own) }),
  tryOut: (checkId, shared, own, signal) =>
    tryOut('ICMP', checkId, { ...writeShared(shared), ...writeIcmp(own) }, signal),
  inBrief: ({ icmpCheckResult }) => {
    const { packetLoss = null, latency = null } = icmpCheckResult?.response ?? {}
    if (packetLoss === null) return ''
    return latency === null ? 'no answer' : `${formatMs(latency.avg)}, ${packetLoss} % lost`
  },
  detailOf: ({ icmpCheckResult }) => icmpCheckResult ?? null,
  Result: IcmpResult,
}
