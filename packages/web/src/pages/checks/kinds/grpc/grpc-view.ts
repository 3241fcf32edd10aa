import { saveCheck } from '../../../../api/save-check.ts'
import { tryOut } from '../../../../api/try-out.ts'
import { draftShared, writeShared } from '../../form/shared-draft.ts'
import type { KindView } from '../kind-view.ts'
import { blankGrpc, draftGrpc, writeGrpc } from './draft.ts'
import { GrpcEssential } from './grpc-essential.tsx'
import { GrpcMore } from './grpc-more.tsx'
import { GrpcResult, statusWords } from './grpc-result.tsx'

export const grpcView: KindView<'GRPC'> = {
  label: 'gRPC',
  about: 'Asks a gRPC server how it is, or calls a method and judges the answer.',
  blank: blankGrpc,
  drafts: (check) => ({ shared: draftShared(check), own: draftGrpc(check) }),
  Essential: GrpcEssential,
  More: GrpcMore,
  nameFor: ({ url, mode, method, service }) => `${url} ${mode === 'BEHAVIOR' ? method : service}`.trim().slice(0, 255),
  save: (checkId, shared, own) => saveCheck('GRPC', checkId, { ...writeShared(shared), ...writeGrpc(own) }),
  tryOut: (checkId, shared, own, signal) =>
    tryOut('GRPC', checkId, { ...writeShared(shared), ...writeGrpc(own) }, signal),
  inBrief: ({ grpcCheckResult }) =>
    grpcCheckResult?.healthStatus ??
    (grpcCheckResult?.grpcStatusCode == null ? '' : statusWords(grpcCheckResult.grpcStatusCode)),
  detailOf: ({ grpcCheckResult }) => grpcCheckResult ?? null,
  Result: GrpcResult,
}
