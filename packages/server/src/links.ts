/** Addresses in the web application that answers and messages point to. */
import { type AlertType, type CheckKind, isFoundByRun } from '@vedette/schema'

interface AlertOrigin {
  accountId: string
  checkId: string
  checkKind: CheckKind
  alertType: AlertType
  resultId: string
}

export interface Links {
  check(accountId: string, checkId: string): string
  result(accountId: string, checkId: string, resultId: string): string
  session(accountId: string, checkId: string, sessionId: string): string
  /** What came of a check that an alert tells of: a run, or where nobody runs it the check itself. */
  alert(alert: AlertOrigin): string
  /** Channels, and what was sent. */
  alerts: string
  /** Where whoever has the token of a message says to be on its trouble. */
  acknowledge(token: string): string
  /** Where the job of a heartbeat pings. */
  ping(token: string): string
}

export function linksFrom(publicUrl: string): Links {
  const check: Links['check'] = (accountId, checkId) => `${publicUrl}/accounts/${accountId}/checks/${checkId}`
  const result: Links['result'] = (accountId, checkId, resultId) => `${check(accountId, checkId)}/results/${resultId}`
  return {
    check,
    result,
    alert: ({ accountId, checkId, checkKind, alertType, resultId }) =>
      isFoundByRun(checkKind, alertType) ? result(accountId, checkId, resultId) : check(accountId, checkId),
    alerts: `${publicUrl}/alerts`,
    acknowledge: (token) => `${publicUrl}/acknowledge/${token}`,
    ping: (token) => `${publicUrl}/ping/${token}`,
    session: (accountId, checkId, sessionId) => `${check(accountId, checkId)}/check-sessions/${sessionId}`,
  }
}

/** Where a status page is for everybody: on the domain of its own, if it has one. That of the application is nobody's own. */
export function statusPageAddress(publicUrl: string, page: { url: string; customDomain: string | null }): string {
  return isOnOwnDomain(publicUrl, page) ? `https://${page.customDomain}` : `${publicUrl}/status/${page.url}`
}

/** Where the owner of an address says yes or no to mail of a status page; on the page's domain, for that is the one they know. */
export function subscriptionAddress(
  publicUrl: string,
  page: { url: string; customDomain: string | null },
  token: string,
): string {
  const origin = isOnOwnDomain(publicUrl, page) ? `https://${page.customDomain}` : publicUrl
  return `${origin}/subscriptions/${token}`
}

function isOnOwnDomain(publicUrl: string, { customDomain }: { customDomain: string | null }): boolean {
  return customDomain !== null && customDomain !== new URL(publicUrl).hostname
}
