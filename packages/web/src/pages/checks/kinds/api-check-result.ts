/** The API keeps what came of requests in one field: which shape it has shows in what was asked. */
import type { ApiCheckResult, CheckResult, DnsCheckResult } from '@vedette/schema'

type Told = NonNullable<CheckResult['apiCheckResult']>

const isHttp = (told: Told): told is ApiCheckResult => 'url' in told.request
const isDns = (told: Told): told is DnsCheckResult => 'query' in told.request

export const httpResultOf = ({ apiCheckResult }: CheckResult): ApiCheckResult | null =>
  apiCheckResult !== null && isHttp(apiCheckResult) ? apiCheckResult : null

export const dnsResultOf = ({ apiCheckResult }: CheckResult): DnsCheckResult | null =>
  apiCheckResult !== null && isDns(apiCheckResult) ? apiCheckResult : null

/** The status of an HTTP exchange; empty when no answer came. */
export function statusInBrief(result: CheckResult): string {
  const response = httpResultOf(result)?.response
  return response && response.status > 0 ? `${response.status} ${response.statusText}` : ''
}
