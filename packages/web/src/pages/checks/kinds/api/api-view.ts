import { createApiCheck } from '../../../../api/create-api-check.ts'
import { updateApiCheck } from '../../../../api/update-api-check.ts'
import { draftShared, writeShared } from '../../form/shared-draft.ts'
import type { KindView } from '../kind-view.ts'
import { ApiEssential } from './api-essential.tsx'
import { ApiMore } from './api-more.tsx'
import { ApiResult } from './api-result.tsx'
import { blankApi, completeUrl, draftApi, writeApi } from './draft.ts'

export const apiView: KindView<'API'> = {
  label: 'API',
  blank: blankApi,
  drafts: (check) => ({ shared: draftShared(check), own: draftApi(check) }),
  Essential: ApiEssential,
  More: ApiMore,
  nameFor: ({ url }) =>
    completeUrl(url)
      .replace(/^https?:\/\//i, '')
      .replace(/[/?#]+$/, '')
      .slice(0, 255),
  save: async (checkId, shared, own) => {
    const body = { ...writeShared(shared), ...writeApi(own) }
    const { id } = checkId === null ? await createApiCheck(body) : await updateApiCheck(checkId, body)
    return id
  },
  inBrief: ({ apiCheckResult }) =>
    apiCheckResult && apiCheckResult.response.status > 0
      ? `${apiCheckResult.response.status} ${apiCheckResult.response.statusText}`
      : '',
  detailOf: ({ apiCheckResult }) => apiCheckResult,
  Result: ApiResult,
}
