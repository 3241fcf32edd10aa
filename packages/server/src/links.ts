/** Addresses in the web application that answers and messages point to. */
export interface Links {
  result(accountId: string, checkId: string, resultId: string): string
  session(accountId: string, checkId: string, sessionId: string): string
  /** Where the job of a heartbeat pings. */
  ping(token: string): string
}

export function linksFrom(publicUrl: string): Links {
  const check = (accountId: string, checkId: string) => `${publicUrl}/accounts/${accountId}/checks/${checkId}`
  return {
    result: (accountId, checkId, resultId) => `${check(accountId, checkId)}/results/${resultId}`,
    ping: (token) => `${publicUrl}/ping/${token}`,
    session: (accountId, checkId, sessionId) => `${check(accountId, checkId)}/check-sessions/${sessionId}`,
  }
}
