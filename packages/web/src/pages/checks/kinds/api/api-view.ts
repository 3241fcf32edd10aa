import { saveCheck } from '../../../../api/save-check.ts'
import { tryOut } from '../../../../api/try-out.ts'
import { draftShared, writeShared } from '../../form/shared-draft.ts'
import { httpResultOf, statusInBrief } from '../api-check-result.ts'
import type { KindView } from '../kind-view.ts'
import { ApiEssential } from './api-essential.tsx'
import { ApiMore } from './api-more.tsx'
import { ApiResult } from './api-result.tsx'
import { blankApi, draftApi, nameOfUrl, writeApi } from './draft.ts'

export const apiView: KindView<'API'> = {
  label: 'API',
  about: 'Sends an HTTP request and judges status, headers, body and time.',
  blank: blankApi,
  drafts: (check) => ({ shared: draftShared(check), own: draftApi(check) }),
  Essential: ApiEssential,
  More: ApiMore,
  nameFor: ({ url }) => nameOfUrl(url),
  save: (checkId, shared, own) => saveCheck('API', checkId, { ...writeShared(shared), ...writeApi(own) }),
  tryOut: (checkId, shared, own, signal) =>
    tryOut('API', checkId, { ...writeShared(shared), ...writeApi(own) }, signal),
  inBrief: statusInBrief,
  detailOf: httpResultOf,
  Result: ApiResult,
}
