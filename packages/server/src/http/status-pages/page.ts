/** What a body makes of a status page. */
import { StatusPageSettings, StatusPageWrite } from '@vedette/schema'
import { assertLinks, readDomain, readSubDomain } from '../page-addresses.ts'
import { clean, complete } from '../validation.ts'
import type { PageFields } from './store.ts'

/** @throws AppError `invalid` for what the schema cannot say. */
export function newPage(body: StatusPageWrite): PageFields {
  // Validated before; `complete` only drops and fills in.
  const settings = complete(StatusPageSettings, body) as StatusPageSettings
  return checked({ customDomain: null, settings }, body)
}

/** The stored page with the given fields put over it; absent ones stay. @throws as `newPage`. */
export function changedPage(stored: Pick<PageFields, 'customDomain' | 'settings'>, body: StatusPageWrite): PageFields {
  const { name: _name, url: _url, customDomain: _domain, cards: _cards, ...changes } = clean(StatusPageWrite, body)
  return checked({ ...stored, settings: { ...stored.settings, ...changes } }, body)
}

function checked(
  { customDomain: present, settings }: Pick<PageFields, 'customDomain' | 'settings'>,
  { name, url, customDomain }: StatusPageWrite,
): PageFields {
  const { logo, logoDark, favicon, redirectTo } = settings
  assertLinks({ logo, logoDark, favicon, redirectTo })
  return {
    name,
    url: readSubDomain('url', url),
    customDomain: customDomain === undefined ? present : readDomain('customDomain', customDomain),
    settings,
  }
}
