import type { CheckResult, TcpCheckResult } from '@vedette/schema'
import { saveCheck } from '../../../../api/save-check.ts'
import { tryOut } from '../../../../api/try-out.ts'
import { draftShared, writeShared } from '../../form/shared-draft.ts'
import type { KindView } from '../kind-view.ts'
import { blankTcp, draftTcp, nameOfTcp, writeTcp } from './draft.ts'
import { TcpEssential } from './tcp-essential.tsx'
import { TcpMore } from './tcp-more.tsx'
import { TcpResult } from './tcp-result.tsx'

export const tcpView: KindView<'TCP'> = {
  label: 'TCP',
  about: 'Connects to a port, may send a text, and judges what comes back: for whatever does not speak HTTP.',
  blank: blankTcp,
  drafts: (check) => ({ shared: draftShared(check), own: draftTcp(check) }),
  Essential: TcpEssential,
  More: TcpMore,
  nameFor: nameOfTcp,
  save: (checkId, shared, own) => saveCheck('TCP', checkId, { ...writeShared(shared), ...writeTcp(own) }),
  tryOut: (checkId, shared, own, signal) =>
    tryOut('TCP', checkId, { ...writeShared(shared), ...writeTcp(own) }, signal),
  inBrief: (result) => firstLine(tcpDetail(result)?.response.data ?? ''),
  detailOf: tcpDetail,
  Result: TcpResult,
}

function tcpDetail({ apiCheckResult }: CheckResult): TcpCheckResult | null {
  return apiCheckResult !== null && isTcp(apiCheckResult) ? apiCheckResult : null
}

const isTcp = (detail: NonNullable<CheckResult['apiCheckResult']>): detail is TcpCheckResult =>
  'hostname' in detail.request

const LONGEST = 40

function firstLine(data: string): string {
  const [line = ''] = data.trimStart().split(/[\r\n]/)
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
}
