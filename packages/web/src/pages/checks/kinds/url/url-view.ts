import { saveCheck } from '../../../../api/save-check.ts'
import { tryOut } from '../../../../api/try-out.ts'
import { draftShared, writeShared } from '../../form/shared-draft.ts'
import { ApiResult } from '../api/api-result.tsx'
import { nameOfUrl } from '../api/draft.ts'
import { httpResultOf, statusInBrief } from '../api-check-result.ts'
import type { KindView } from '../kind-view.ts'
import { blankUrl, draftUrl, writeUrl } from './draft.ts'
import { UrlEssential } from './url-essential.tsx'
import { UrlMore } from './url-more.tsx'

export const urlView: KindView<'URL'> = {
  label: 'URL',
  about: 'Opens an address and judges the status and the time: the cheapest way to watch many pages.',
  blank: blankUrl,
  drafts: (check) => ({ shared: draftShared(check), own: draftUrl(check) }),
  Essential: UrlEssential,
  More: UrlMore,
  nameFor: ({ url }) => nameOfUrl(url),
  save: (checkId, shared, own) => saveCheck('URL', checkId, { ...writeShared(shared), ...writeUrl(own) }),
  tryOut: (checkId, shared, own, signal) =>
    tryOut('URL', checkId, { ...writeShared(shared), ...writeUrl(own) }, signal),
  inBrief: statusInBrief,
  detailOf: httpResultOf,
  Result: ApiResult,
}
