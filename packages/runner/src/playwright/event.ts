/**
 * What a run of Playwright says while it goes on, one line of JSON each. The process may be in the hands of the script that
 * it runs: nothing here is believed before it has been checked, and no more of it is taken than fits.
 */
import Type, { type Static } from 'typebox'
import { ENGINES } from './job.ts'

const text = (maxLength: number) => Type.String({ maxLength })
const Milliseconds = Type.Number({ minimum: 0, maximum: 86_400_000 })
/** Milliseconds since 1970, by the clock of the process. */
const Instant = Type.Number({ minimum: 0, maximum: 8.64e15 })
const Id = text(200)
const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const Location = Type.Object({ file: text(1000), line: Type.Integer(), column: Type.Integer() })

export const ScriptFault = Type.Object({
  message: text(16_384),
  stack: nullable(text(16_384)),
  /** The lines of code around it. */
  snippet: nullable(text(16_384)),
  location: nullable(Location),
})
export type ScriptFault = Static<typeof ScriptFault>

export const TEST_STATUSES = ['passed', 'failed', 'timedOut', 'skipped', 'interrupted'] as const
export const FILE_ROLES = ['trace', 'video', 'screenshot', 'attachment', 'report', 'cache'] as const
export const CONSOLE_LEVELS = ['debug', 'info', 'log', 'warning', 'error'] as const

const vital = nullable(Type.Number({ minimum: 0, maximum: 1e9 }))

export const ScriptEvent = Type.Union([
  Type.Object({ is: Type.Literal('ready') }),
  Type.Object({
    is: Type.Literal('begin'),
    at: Instant,
    /** What runs it: not always what was asked for. */
    engine: Type.Enum(ENGINES),
    playwright: text(50),
    node: text(50),
    tests: Type.Integer({ minimum: 0 }),
  }),
  Type.Object({
    is: Type.Literal('test'),
    id: Id,
    /** How often it was tried before. */
    retry: Type.Integer({ minimum: 0 }),
    /** From the outermost group to its own. */
    titles: Type.Array(text(1000), { maxItems: 50 }),
    project: text(200),
    location: Location,
    at: Instant,
  }),
  Type.Object({
    is: Type.Literal('test-end'),
    id: Id,
    retry: Type.Integer({ minimum: 0 }),
    status: Type.Enum(TEST_STATUSES),
    expected: Type.Enum(TEST_STATUSES),
    /** Whether it is tried again. */
    isLast: Type.Boolean(),
    durationMs: Milliseconds,
    faults: Type.Array(ScriptFault, { maxItems: 50 }),
    annotations: Type.Array(Type.Object({ type: text(200), description: text(2000) }), { maxItems: 50 }),
  }),
  Type.Object({
    is: Type.Literal('step'),
    id: Id,
    test: Id,
    retry: Type.Integer({ minimum: 0 }),
    parent: nullable(Id),
    category: text(50),
    title: text(2000),
    location: nullable(Location),
    at: Instant,
  }),
  Type.Object({ is: Type.Literal('step-end'), id: Id, durationMs: Milliseconds, fault: nullable(ScriptFault) }),
  Type.Object({ is: Type.Literal('output'), stream: Type.Enum(['out', 'err']), text: text(65_536), at: Instant }),
  /** Beside any test: a file that does not load, a run without tests. */
  Type.Object({ is: Type.Literal('fault'), fault: ScriptFault }),
  /** What a page says or misses. */
  Type.Object({
    is: Type.Literal('console'),
    level: Type.Enum(CONSOLE_LEVELS),
    text: text(4096),
    url: text(4096),
    at: Instant,
  }),
  Type.Object({ is: Type.Literal('page-fault'), message: text(4096), url: text(4096), at: Instant }),
  Type.Object({
    is: Type.Literal('request-failed'),
    method: text(50),
    url: text(4096),
    problem: text(1000),
    /** The document of a page, not something that it loads. */
    isDocument: Type.Boolean(),
    at: Instant,
  }),
  Type.Object({
    is: Type.Literal('page'),
    url: text(4096),
    /** Milliseconds, but for the layout shift. */
    vitals: Type.Object({ TTFB: vital, FCP: vital, LCP: vital, CLS: vital, TBT: vital }),
    timings: Type.Object({ onContentLoad: vital, onLoad: vital }),
    at: Instant,
  }),
  /** The script asks for the run to count as degraded. */
  Type.Object({ is: Type.Literal('degraded'), reason: text(2000) }),
  /** A file that the run leaves; its bytes follow. */
  Type.Object({
    is: Type.Literal('file'),
    no: Type.Integer({ minimum: 0, maximum: 10_000 }),
    role: Type.Enum(FILE_ROLES),
    name: text(255),
    contentType: text(200),
    bytes: Type.Integer({ minimum: 0 }),
    test: nullable(Id),
    retry: Type.Integer({ minimum: 0 }),
  }),
  Type.Object({ is: Type.Literal('data'), no: Type.Integer({ minimum: 0 }), base64: text(131_072) }),
  /** The last one. `code` is the exit code of a program, null for tests. */
  Type.Object({
    is: Type.Literal('end'),
    status: Type.Enum(['passed', 'failed', 'timedout', 'interrupted']),
    code: nullable(Type.Integer()),
    durationMs: Milliseconds,
    /** Whether all files were told of: they may have been too many, or too large. */
    filesLeftOut: Type.Integer({ minimum: 0 }),
  }),
])
export type ScriptEvent = Static<typeof ScriptEvent>
