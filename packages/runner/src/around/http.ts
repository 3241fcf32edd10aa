/** Around a request: set-up scripts, the values of variables, then the request, then tear-down scripts. */
import { randomUUID } from 'node:crypto'
import { includeSnippets, renderRequest, TemplateError } from '@vedette/core'
import type { ApiRequest, HttpObservation, JobLog, LeasedRunOf, RunVariable } from '@vedette/schema'
import { checkFailure, ownFailure, RequestFailure } from '../probes/http/failure.ts'
import { NO_ISOLATION } from '../scripts/isolation.ts'
import type { ScriptJob } from '../scripts/script-job.ts'
import type { Around, AroundTools } from './around.ts'
import { differing, forScript, fromScript, responseForScript, SCRIPT_BODY_LIMIT } from './script-views.ts'

export const aroundUrl: Around<'URL'> = async ({ settings, variables }, { observe }) => {
  const request = rendered(settings.request, variables)
  if (request instanceof RequestFailure) return { settings, observation: failed(settings.request, request), hidden: [] }
  const used = { ...settings, request }
  return { settings: used, observation: await observe(used), hidden: [] }
}

export const aroundApi: Around<'API'> = async (run, { observe, runScript }) => {
  const { settings, scripts } = run
  const stage = new Stage(run, runScript)
  const end = (used: typeof settings, observation: HttpObservation) => ({
    settings: used,
    observation: scripts === null ? observation : { ...observation, jobLog: stage.log },
    hidden: stage.hidden,
  })

  const prepared = await stage.setUp(settings.request)
  if (prepared instanceof RequestFailure) return end(settings, failed(settings.request, prepared))
  const request = rendered(prepared, stage.variables)
  if (request instanceof RequestFailure) return end({ ...settings, request: prepared }, failed(prepared, request))
  const used = { ...settings, request }
  const tearDown = scripts?.tearDown ?? []
  const observation = await observe(used, tearDown.length > 0 ? SCRIPT_BODY_LIMIT : 0)
  return end(used, await stage.tearDown(request, observation))
}

/** What scripts leave to those that follow: variables, log, secrets. */
class Stage {
  readonly #run: LeasedRunOf<'API'>
  readonly #runScript: AroundTools<'API'>['runScript']
  readonly log: JobLog = { setup: [], request: [], teardown: [] }
  readonly hidden: string[] = []
  variables: readonly RunVariable[]

  constructor(run: LeasedRunOf<'API'>, runScript: AroundTools<'API'>['runScript']) {
    this.#run = run
    this.#runScript = runScript
    this.variables = run.variables
  }

  /** The request as the scripts leave it; a failure when one of them breaks. */
  async setUp(first: ApiRequest): Promise<ApiRequest | RequestFailure> {
    let request = first
    for (const script of this.#run.scripts?.setUp ?? []) {
      const end = await this.#runOne(script, 'setup', { request: forScript(request), response: null }, request.url)
      if (end instanceof RequestFailure) return end
      this.variables = this.#changed(end.variables)
      request = fromScript(request, end.request)
    }
    return request
  }

  /** The observation with the body as the scripts leave it. */
  async tearDown(request: ApiRequest, seen: HttpObservation): Promise<HttpObservation> {
    let observation = seen
    for (const script of this.#run.scripts?.tearDown ?? []) {
      if (observation.response === null) return observation
      const response = responseForScript(observation.response)
      const parts = { request: forScript(request), response }
      const end = await this.#runOne(script, 'teardown', parts, observation.request.url)
      if (end instanceof RequestFailure) {
        if (end.blame === 'ours') return { ...observation, response: null, failure: failureOf(end) }
        observation = { ...observation, scriptError: observation.scriptError ?? end.message }
        continue
      }
      // What it changed counts until its end, but what it called a secret stays one.
      this.#changed(end.variables)
      if (end.body !== null && end.body !== response.body) {
        observation = { ...observation, response: { ...observation.response, body: end.body } }
      }
    }
    return observation
  }

  async #runOne(
    script: string,
    phase: 'setup' | 'teardown',
    parts: Pick<ScriptJob, 'request' | 'response'>,
    url: string,
  ) {
    const name = phase === 'setup' ? 'set-up script' : 'tear-down script'
    const snippets = this.#run.scripts?.snippets ?? []
    let whole: string
    try {
      whole = includeSnippets(script, snippets)
    } catch (error) {
      return checkFailure('ERR_SCRIPT', `${name}: ${error instanceof Error ? error.message : error}`)
    }
    const variables = Object.fromEntries(this.variables.map(({ key, value }) => [key, value]))
    const job = { script: whole, snippets, variables: { ...variables, REQUEST_URL: url }, ...parts }
    const end = await this.#runScript(job)
    if (end === null) return ownFailure('prepare', 'ERR_ISOLATION', NO_ISOLATION)
    this.log[phase]?.push(...end.log)
    if ('done' in end) return end.done
    if (end.ours) return ownFailure('prepare', 'ERR_SCRIPT_HOST', `${name}: ${end.problem}`)
    return checkFailure('ERR_SCRIPT', `${name}: ${end.problem}`)
  }

  #changed(values: Record<string, string>): RunVariable[] {
    const { variables, secrets } = differing(this.variables, values)
    this.hidden.push(...secrets)
    return variables
  }
}

/** The request with the values of variables in it, or why there is none. */
function rendered<R extends Parameters<typeof renderRequest>[0]>(
  request: R,
  variables: readonly RunVariable[],
): R | RequestFailure {
  try {
    return renderRequest(request, variables, { now: new Date(), uuid: randomUUID, random: Math.random })
  } catch (error) {
    if (error instanceof TemplateError) return checkFailure('ERR_TEMPLATE', error.message)
    throw error
  }
}

/** Nothing was sent. */
function failed(
  { method = 'GET', url }: { method?: string | undefined; url: string },
  failure: RequestFailure,
): HttpObservation {
  return {
    request: { method, url, data: '', headers: {}, params: {} },
    response: null,
    failure: failureOf(failure),
    responseTimeMs: 0,
    tls: null,
    certificate: null,
  }
}

function failureOf({ blame, code, message, phase }: RequestFailure) {
  return { blame, code, message, phase }
}
