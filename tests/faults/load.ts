/** Checks that keep the installation busy, with a person who wants to see results now. */

import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type AlertNotification, type ApiCheck, type CheckResult, routes } from '@vedette/schema'
import { until } from '../start-vedette.ts'
import { Api } from './api.ts'
import type { Installation } from './installation.ts'
import { RunnerElsewhere } from './runner-elsewhere.ts'
import { RECEIVER_TEMPLATE, type Receiver, startReceiver, startTarget, type Target } from './surroundings.ts'

/** How many checks of each sort. */
export interface Size {
  steady: number
  elsewhere: number
  shaky: number
}

const BUSY: Size = { steady: 40, elsewhere: 16, shaky: 4 }
/** Served by the runner of the test. */
const REGION_ELSEWHERE = 'eu-west-1'

export interface Load {
  api: Api
  target: Target
  receiver: Receiver
  elsewhere: RunnerElsewhere
  /** Those whose target is always well, and those whose target is not. */
  steady: ApiCheck[]
  shaky: ApiCheck[]
  /** Runs of the shaky checks at once; resolves when each has a result of this verdict that is newer than the call. */
  showAll(verdict: 'failed' | 'passed'): Promise<void>
  /** Ends the pressure and brings the reports home. */
  end(): Promise<void>
}

export async function putUnderLoad(t: TestContext, installation: Installation, size: Size = BUSY): Promise<Load> {
  const target = await startTarget(t)
  const receiver = await startReceiver(t)
  const api = new Api(installation.url, installation.apiKey)
  await api.call(routes.createAlertChannel, {
    body: { type: 'WEBHOOK', config: { name: 'receiver', url: receiver.url, template: RECEIVER_TEMPLATE } },
  })
  const { rawKey } = await api.call(routes.createDataCenterKey, { params: { region: REGION_ELSEWHERE } })
  const elsewhere = new RunnerElsewhere(installation.url, rawKey)
  const end = new AbortController()
  let pressing = Promise.resolve()
  let ended: Promise<void> | undefined
  const endOnce = () => {
    ended ??= (async () => {
      end.abort()
      await pressing
      await elsewhere.stop()
    })()
    return ended
  }
  t.after(endOnce)

  const here = (url: string, name: string, tag: string) =>
    makeCheck(api, { url, name, tags: [tag], locations: ['us-east-1', 'us-west-1'] })
  const steady: ApiCheck[] = []
  for (let no = 0; no < size.steady; no += 1) steady.push(await here(target.steadyUrl, `Steady ${no}`, 'steady'))
  for (let no = 0; no < size.elsewhere; no += 1) {
    const name = `Elsewhere ${no}`
    const url = target.steadyUrl
    steady.push(await makeCheck(api, { url, name, tags: ['elsewhere'], locations: [REGION_ELSEWHERE] }))
  }
  const shaky: ApiCheck[] = []
  for (let no = 0; no < size.shaky; no += 1) shaky.push(await here(target.shakyUrl, `Shaky ${no}`, 'shaky'))

  pressing = press(api, steady.slice(0, 8), end.signal)
  return {
    api,
    target,
    receiver,
    elsewhere,
    steady,
    shaky,
    end: endOnce,
    async showAll(verdict) {
      const since = Date.now()
      await until(`every shaky check has ${verdict}`, async () => {
        const body = { target: { checkId: shaky.map(({ id }) => id) } }
        await api.call(routes.triggerSessions, { body }).catch(() => undefined)
        await wait(300)
        const newest = await Promise.all(shaky.map(({ id }) => newestFinal(api, id).catch(() => undefined)))
        return newest.every(
          (result) =>
            result !== undefined &&
            Date.parse(result.startedAt) >= since &&
            result.hasFailures === (verdict === 'failed') &&
            !result.hasErrors,
        )
      })
    },
  }
}

async function makeCheck(
  api: Api,
  { url, ...rest }: Pick<ApiCheck, 'name' | 'tags' | 'locations'> & { url: string },
): Promise<ApiCheck> {
  const request = { method: 'GET' as const, url }
  const body = { ...rest, request, frequency: 0 as const, frequencyOffset: 10, retryStrategy: null }
  return api.call(routes.createApiCheck, { body })
}

/** Somebody who asks for runs again and again, whatever answer there is. */
async function press(api: Api, checks: readonly ApiCheck[], signal: AbortSignal): Promise<void> {
  for (let turn = 0; !signal.aborted; turn += 1) {
    const check = checks[turn % checks.length]
    if (check !== undefined) {
      const body = { target: { checkId: check.id } }
      await api.call(routes.triggerSessions, { body }, signal).catch(() => undefined)
    }
    await wait(50, undefined, { signal }).catch(() => {})
  }
}

export async function newestFinal(api: Api, checkId: string): Promise<CheckResult | undefined> {
  const page = await api.call(routes.listCheckResults, { params: { checkId }, query: { limit: 1 } })
  return page.entries[0]
}

export async function allResults(api: Api, checkId: string): Promise<CheckResult[]> {
  const found: CheckResult[] = []
  for (let nextId: string | undefined; ; ) {
    const query = { limit: 100, resultType: 'ALL' as const, ...(nextId === undefined ? {} : { nextId }) }
    const page = await api.call(routes.listCheckResults, { params: { checkId }, query })
    found.push(...page.entries)
    if (page.nextId === null) return found
    nextId = page.nextId
  }
}

/** Newest first. */
export async function allNotifications(api: Api): Promise<AlertNotification[]> {
  const found: AlertNotification[] = []
  for (let page = 1; ; page += 1) {
    const some = await api.call(routes.listAlertNotifications, { query: { limit: 100, page } })
    found.push(...some)
    if (some.length < 100) return found
  }
}
