/**
 * Watches every browser context, whoever makes it: the test runner or the script by hand. It listens where Playwright's
 * own runner does, so no call of a script looks different for it. Whatever a page does to it, the run goes on.
 */
import type { ScriptEvent } from '../event.ts'
import type { ContextInside, CoreInside, PageInside } from './playwright.ts'
import { say } from './say.ts'
import type { Settings } from './settings.ts'
import { clip, plain } from './texts.ts'
import { BINDING, type Measured, measuredIn, VITALS_SCRIPT } from './vitals.ts'

type ConsoleLevel = Extract<ScriptEvent, { is: 'console' }>['level']
const CONSOLE_LEVELS: readonly ConsoleLevel[] = ['debug', 'info', 'log', 'warning', 'error']
const { now } = Date
/** Of each kind in a run. */
const EVENTS_LIMIT = 1000
const LAUNCH_OPTIONS = '_defaultLaunchOptions'
const installed = new WeakSet<object>()
/** Of the run at hand. */
let given: Pick<Settings, 'proxy' | 'chromiumSandbox'> = { proxy: null, chromiumSandbox: false }

export function installHooks(core: CoreInside, settings: Settings): void {
  given = settings
  Reflect.set(globalThis, Symbol.for('vedette.degraded'), (reason: string) =>
    say({ is: 'degraded', reason: clip(String(reason), 2000) }),
  )
  if (installed.has(core)) return
  installed.add(core)
  // Older versions keep them with each kind of browser.
  for (const place of [core, core.chromium, core.firefox, core.webkit])
    if (place === core || (place && Object.hasOwn(place, LAUNCH_OPTIONS))) addLaunchOptions(place)

  // And this elsewhere: then pages are not watched.
  core._instrumentation?.addListener?.({
    // No other way out than ours is in reach.
    async runBeforeCreateBrowserContext(options) {
      if (server()) options.proxy = undefined
    },
    async runBeforeCreateRequestContext(options) {
      options.proxy = server() ?? options.proxy
    },
    async runAfterCreateBrowserContext(context) {
      await watch(context)
    },
    async runBeforeCloseBrowserContext(context) {
      for (const page of context.pages()) tellPage(page)
    },
  })
}

const server = () => (given.proxy === null ? undefined : { server: given.proxy })

/** The runner sets its own there, and takes them away. */
function addLaunchOptions(target: object): void {
  const ours = () => ({ chromiumSandbox: given.chromiumSandbox, ...(given.proxy !== null && { proxy: server() }) })
  let theirs: object | undefined
  Object.defineProperty(target, LAUNCH_OPTIONS, {
    configurable: true,
    enumerable: true,
    get: () => ({ ...theirs, ...ours() }),
    set: (options: object | undefined) => {
      theirs = options
    },
  })
}

async function watch(context: ContextInside): Promise<void> {
  context.on('console', (message) =>
    tell('console', () => {
      const at = now()
      const level = levelOf(message.type())
      const url = clip(message.location().url, 4096)
      return { is: 'console', level, text: plain(message.text(), 4096), url, at }
    }),
  )
  context.on('weberror', (fault) =>
    tell('page-fault', () => {
      const error = fault.error()
      const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
      return { is: 'page-fault', message: plain(message, 4096), url: clip(fault.page()?.url() ?? '', 4096), at: now() }
    }),
  )
  context.on('requestfailed', (request) =>
    tell('request-failed', () => ({
      is: 'request-failed',
      method: clip(request.method(), 50),
      url: clip(request.url(), 4096),
      problem: clip(request.failure()?.errorText ?? '', 1000),
      isDocument: request.isNavigationRequest(),
      at: now(),
    })),
  )
  context.on('page', (page) => page.on('close', () => tellPage(page)))
  try {
    await context._wrapApiCall(
      async () => {
        await context.exposeBinding(BINDING, ({ page }, value) => hear(page, value))
        await context.addInitScript({ content: VITALS_SCRIPT })
      },
      { internal: true },
    )
  } catch {
    // The context is gone again.
  }
}

function levelOf(type: string): ConsoleLevel {
  if (type === 'assert') return 'error'
  return CONSOLE_LEVELS.find((level) => level === type) ?? 'log'
}

const told = new Map<string, number>()

function tell(kind: string, event: () => ScriptEvent): void {
  const count = told.get(kind) ?? 0
  told.set(kind, count + 1)
  if (count >= EVENTS_LIMIT) return
  try {
    say(event())
  } catch {
    // A page that has gone has nothing to say; nor has anybody to listen who has gone.
  }
}

// A document tells again whenever it knows more: it is passed on when it is over.
const measured = new Map<PageInside, Measured & { at: number }>()
/** Documents that are over: what they say while they go comes too late. */
const over = new Set<number>()

/** At the end of a process: of pages that nobody has closed. */
export function tellOpenPages(): void {
  for (const page of [...measured.keys()]) tellPage(page)
}

function hear(page: PageInside, value: unknown): void {
  const found = measuredIn(value)
  if (found === null || over.has(found.document)) return
  const before = measured.get(page)
  if (before && before.document !== found.document) tellPage(page)
  measured.set(page, { ...found, at: before?.document === found.document ? before.at : now() })
}

function tellPage(page: PageInside): void {
  const found = measured.get(page)
  if (!found) return
  measured.delete(page)
  over.add(found.document)
  const { url, vitals, timings, at } = found
  tell('page', () => ({ is: 'page', url: clip(url, 4096), vitals, timings, at }))
}
