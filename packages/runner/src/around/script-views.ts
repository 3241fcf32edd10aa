/** A request and an answer as scripts see them, and what is taken over from them afterwards. */
import {
  type ApiRequest,
  BUILT_IN_VARIABLES,
  type HttpResponse,
  type KeyValue,
  type RunVariable,
  SECRET_PREFIX,
} from '@vedette/schema'
import type { ScriptRequest, ScriptResponse } from '../scripts/script-job.ts'

/** So much of a body a script is given. */
export const SCRIPT_BODY_LIMIT = 256 * 1024

export function forScript({ method, url, body = '', headers = [], queryParameters = [] }: ApiRequest): ScriptRequest {
  return { method, url, body, headers: recordOf(headers), queryParameters: recordOf(queryParameters) }
}

export function responseForScript(response: HttpResponse): ScriptResponse {
  const { status, statusText, body, headers, timings, timingPhases } = response
  const given = body.length > SCRIPT_BODY_LIMIT ? body.slice(0, SCRIPT_BODY_LIMIT) : body
  return { statusCode: status, statusText, body: given, headers, timings, timingPhases }
}

/** What was locked stays so under its name; lists that a script left as they were keep their order and repetitions. */
export function fromScript(
  request: ApiRequest,
  { method, url, body, headers, queryParameters }: ScriptRequest,
): ApiRequest {
  const bodyType = body !== '' && (request.bodyType ?? 'NONE') === 'NONE' ? 'RAW' : request.bodyType
  return {
    ...request,
    method,
    url,
    body,
    bodyType,
    headers: itemsOf(request.headers ?? [], headers),
    queryParameters: itemsOf(request.queryParameters ?? [], queryParameters),
  }
}

/** Variables as a script leaves them. Those that are built in stay as they are. */
export function differing(
  before: readonly RunVariable[],
  values: Record<string, string>,
): { variables: RunVariable[]; secrets: string[] } {
  const known = new Map(before.map((variable) => [variable.key, variable]))
  const variables: RunVariable[] = before.filter(({ key }) => isBuiltIn(key))
  const secrets: string[] = []
  for (const [key, value] of Object.entries(values)) {
    if (isBuiltIn(key)) continue
    const hidden = known.get(key)?.hidden === true || key.startsWith(SECRET_PREFIX)
    if (hidden) secrets.push(value)
    variables.push({ key, value, hidden })
  }
  return { variables, secrets }
}

const builtIn: ReadonlySet<string> = new Set(BUILT_IN_VARIABLES)
const isBuiltIn = (key: string) => builtIn.has(key)

function recordOf(items: readonly KeyValue[]): Record<string, string> {
  return Object.fromEntries(items.map(({ key, value }) => [key, value]))
}

function itemsOf(before: readonly KeyValue[], after: Record<string, string>): KeyValue[] {
  const given = recordOf(before)
  const names = Object.keys(given)
  const isSame = names.length === Object.keys(after).length && names.every((name) => given[name] === after[name])
  if (isSame) return [...before]
  const locked = new Set(before.filter((item) => item.locked).map(({ key }) => key.toLowerCase()))
  return Object.entries(after).map(([key, value]) => ({ key, value, locked: locked.has(key.toLowerCase()) }))
}
