/** Addresses in the web application that answers and messages point to. */
import type { CheckKind } from '@vedette/schema'

export interface Links {
  result(accountId: string, checkId: string, resultId: string): string
  session(accountId: string, checkId: string, sessionId: string): string
  /** What came of a check that an alert tells of: a run, or where nobody runs it the check itself. */
  alert(alert: { accountId: string; checkId: string; checkKind: CheckKind; resultId: string }): string
  /** Where the job of a heartbeat pings. */
  ping(token: string): string
}

export function linksFrom(publicUrl: string): Links {
  const check = (accountId: string, checkId: string) => `${publicUrl}/accounts/${accountId}/checks/${checkId}`
  const result: Links['result'] = (accountId, checkId, resultId) => `${check(accountId, checkId)}/results/${resultId}`
  return {
    result,
    alert: ({ accountId, checkId, checkKind, resultId }) =>
      checkKind === 'HEARTBEAT' ? check(accountId, checkId) : result(accountId, checkId, resultId),
    ping: (token) => `${publicUrl}/ping/${token}`,
    session: (accountId, checkId, sessionId) => `${check(accountId, checkId)}/check-sessions/${sessionId}`,
  }
}
