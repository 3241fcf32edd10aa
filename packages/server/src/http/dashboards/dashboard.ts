/** What a body makes of a dashboard. */
import { randomInt } from 'node:crypto'
import { type DashboardCreate, DashboardSettings, DashboardUpdate } from '@vedette/schema'
import { invalidField } from '../../app-error.ts'
import { assertLinks, readDomain, readSubDomain } from '../page-addresses.ts'
import { clean, complete } from '../validation.ts'

const CSS_BYTES = 64 * 1024

export interface DashboardFields {
  customUrl: string
  customDomain: string | null
  settings: DashboardSettings
}

/** @throws AppError `invalid` for what the schema cannot say. */
export function newDashboard(body: DashboardCreate): DashboardFields {
  // Validated before; `complete` only drops and fills in.
  const settings = complete(DashboardSettings, body) as DashboardSettings
  return checked({ customUrl: randomName(12), customDomain: null, settings }, body)
}

/** The stored dashboard with the given fields put over it; absent ones stay. @throws as `newDashboard`. */
export function changedDashboard(stored: DashboardFields, body: DashboardUpdate): DashboardFields {
  const { customUrl: _url, customDomain: _domain, ...changes } = clean(DashboardUpdate, body)
  return checked({ ...stored, settings: { ...stored.settings, ...changes } }, body)
}

function checked(fields: DashboardFields, { customUrl, customDomain }: DashboardUpdate): DashboardFields {
  const { logo, favicon, link, customCSS } = fields.settings
  assertLinks({ logo, favicon, link })
  if (customCSS !== null && Buffer.byteLength(customCSS) > CSS_BYTES) {
    throw invalidField('customCSS', 'must have 65536 bytes or fewer')
  }
  return {
    ...fields,
    // An empty text is what clients send that have none to give.
    ...(customUrl === undefined || customUrl === '' ? {} : { customUrl: readSubDomain('customUrl', customUrl) }),
    ...(customDomain === undefined ? {} : { customDomain: readDomain('customDomain', customDomain) }),
  }
}

/** Lower-case letters and digits. */
export function randomName(length: number): string {
  return Array.from({ length }, () => randomInt(36).toString(36)).join('')
}
