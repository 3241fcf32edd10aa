/** Hides secrets in values that people may otherwise see. Works on templates as well as on what they become. */
import type { KeyValue } from '@vedette/schema'

export const MASK = '***'
const SECRET_NAME =
  /auth|cookie|credential|passw|pwd|secret|session|sig$|signature|token|(^|[-_])(api|access|private)?[-_]?key$|^code$/i
/** Long and mixed: nobody would choose it as a word of a path. */
const SECRET_SEGMENT = /^(?=[^/]*[0-9])(?=[^/]*[A-Za-z])[\w.~%:-]{20,}$/

export const isSecretItem = ({ key, locked }: KeyValue): boolean => locked || isSecretName(key)
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name)
export const isSecretSegment = (segment: string): boolean => SECRET_SEGMENT.test(segment)

export const maskItem = (item: KeyValue): KeyValue => (isSecretItem(item) ? { ...item, value: MASK } : item)

/**
 * Credentials before the host, segments of the path that look like keys, and values of parameters named like secrets.
 *
 * @param lastIsSecret the last segment is a key whatever it looks like
 */
export function maskUrl(url: string, { lastIsSecret = false } = {}): string {
  const [beforeFragment = ''] = url.split('#', 1)
  const question = beforeFragment.indexOf('?')
  const base = question < 0 ? beforeFragment : beforeFragment.slice(0, question)
  const query = question < 0 ? '' : beforeFragment.slice(question + 1)
  const schemeEnd = base.indexOf('://')
  const [authority = '', ...segments] = (schemeEnd < 0 ? base : base.slice(schemeEnd + 3)).split('/')
  const host = authority.includes('@') ? `${MASK}@${authority.slice(authority.lastIndexOf('@') + 1)}` : authority
  const last = segments.findLastIndex((segment) => segment !== '')
  const path = segments.map((segment, place) =>
    isSecretSegment(segment) || (lastIsSecret && place === last && !segment.includes('{{')) ? MASK : segment,
  )
  const masked = [(schemeEnd < 0 ? '' : base.slice(0, schemeEnd + 3)) + host, ...path].join('/')
  return question < 0 ? masked : `${masked}?${query.split('&').map(maskParameter).join('&')}`
}

function maskParameter(parameter: string): string {
  const equals = parameter.indexOf('=')
  const [name, value] = equals < 0 ? ['', parameter] : [parameter.slice(0, equals), parameter.slice(equals + 1)]
  if (!isSecretName(name) && !isSecretSegment(value)) return parameter
  return equals < 0 ? MASK : `${name}=${MASK}`
}
