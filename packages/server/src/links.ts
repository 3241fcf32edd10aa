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
  result(accountId: string, checkId: string, resultId: string): string
  session(accountId: string, checkId: string, sessionId: string): string
  /** What came of a check that an alert tells of: a run, or where nobody runs it the check itself. */
  alert(alert: AlertOrigin): string
  /** Channels, and what was sent. */
  alerts: string
  /** Where the job of a heartbeat pings. */
  ping(token: string): string
}

export function linksFrom(publicUrl: string): Links {
  const check = (accountId: string, checkId: string) => `${publicUrl}/accounts/${accountId}/checks/${checkId}`
  const result: Links['result'] = (accountId, checkId, resultId) => `${check(accountId, checkId)}/results/${resultId}`
  return {
    result,
    alert: ({ accountId, checkId, checkKind, alertType, resultId }) =>
      isFoundByRun(checkKind, alertType) ? result(accountId, checkId, resultId) : check(accountId, checkId),
    alerts: `${publicUrl}/alerts`,
    ping: (token) => `${publicUrl}/ping/${token}`,
    session: (accountId, checkId, sessionId) => `${check(accountId, checkId)}/check-sessions/${sessionId}`,
  }
}
