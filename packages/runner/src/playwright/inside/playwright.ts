/** Types of the parts of Playwright that are used here: the packages themselves are found only where they run. */
import type { ReportedError } from './texts.ts'

export interface PlaywrightTestConfig {
  testDir: string
  testMatch: RegExp
  outputDir: string
  workers: number
  retries: number
  reportSlowTests: null
  captureGitInfo: { commit: boolean; diff: boolean }
  reporter: [string, Record<string, unknown>?][]
  use: {
    trace: { mode: string; screenshots: boolean; snapshots: boolean; sources: boolean; attachments: boolean }
    video: string
    screenshot: string
  }
}

// What a reporter is told: the public interface, the part that is the same from 1.32 on.

interface Place {
  file: string
  line: number
  column: number
}

export interface ReportedSuite {
  allTests(): ReportedTest[]
}

export interface ReportedTest {
  id: string
  location: Place
  expectedStatus: ReportedStatus
  retries: number
  annotations: { type: string; description?: string }[]
  titlePath(): string[]
}

export type ReportedStatus = 'passed' | 'failed' | 'timedOut' | 'skipped' | 'interrupted'

export interface ReportedResult {
  retry: number
  status: ReportedStatus
  duration: number
  startTime: Date
  errors: ReportedError[]
  /** Since 1.52; before, they are the test's alone. */
  annotations?: { type: string; description?: string }[]
  attachments: { name: string; contentType: string; path?: string; body?: Uint8Array }[]
}

export interface ReportedStep {
  title: string
  category: string
  parent?: ReportedStep
  startTime: Date
  duration: number
  location?: Place
  error?: ReportedError
}

// The insides that the warm engine uses, of the versions that it knows.

export interface PlaywrightInside {
  common: {
    configLoader: { loadConfigFromFile(file: string, overrides: object): Promise<object> }
    ProcessRunner: { prototype: { dispatchEvent(this: WorkerInside, method: string, params: unknown): void } }
    transform: { requireOrImport(file: string): Promise<unknown> }
  }
  runner: { testRunner: { runAllTestsWithConfig(config: object, options: object): Promise<string> } }
}

/** What it brings along of others, such as `source-map-support`. */
export interface UtilitiesInside {
  sourceMapSupport: {
    install(options: {
      environment: 'node'
      handleUncaughtExceptions: boolean
      retrieveFile(path: string): string | null
    }): void
  }
}

/** The worker of Playwright, as far as it has to be stopped where it stands. */
export interface WorkerInside {
  _currentTest?: Record<'_runAsStep' | '_runWithTimeout', () => Promise<never>> | null
}

// What the hooks listen to.

export interface CoreInside extends Partial<Record<'chromium' | 'firefox' | 'webkit', object>> {
  _instrumentation?: { addListener?(listener: InstrumentationListener): void }
}

interface InstrumentationListener {
  runBeforeCreateBrowserContext(options: ProxyOptions): Promise<void>
  runBeforeCreateRequestContext(options: ProxyOptions): Promise<void>
  runAfterCreateBrowserContext(context: ContextInside): Promise<void>
  runBeforeCloseBrowserContext(context: ContextInside): Promise<void>
}

interface ProxyOptions {
  proxy?: { server: string } | undefined
}

export interface ContextInside {
  on(event: 'console', listener: (message: ConsoleMessage) => void): void
  on(event: 'weberror', listener: (fault: { error(): unknown; page(): PageInside | null }) => void): void
  on(event: 'requestfailed', listener: (request: RequestInside) => void): void
  on(event: 'page', listener: (page: PageInside) => void): void
  pages(): PageInside[]
  exposeBinding(name: string, callback: (source: { page: PageInside }, value: unknown) => void): Promise<unknown>
  addInitScript(script: { content: string }): Promise<unknown>
  _wrapApiCall(work: () => Promise<void>, options: { internal: boolean }): Promise<void>
}

export interface PageInside {
  url(): string
  on(event: 'close', listener: () => void): void
}

interface ConsoleMessage {
  type(): string
  text(): string
  location(): { url: string }
}

interface RequestInside {
  method(): string
  url(): string
  failure(): { errorText: string } | null
  isNavigationRequest(): boolean
}
