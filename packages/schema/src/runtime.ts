/** The runtimes that scripts can ask for, as their users know them. */
import Type, { type Static } from 'typebox'
import { Nullable } from './shape.ts'

export const RUNTIMES = ['2025.04', '2024.09', '2024.02', '2023.09', '2023.02', '2022.10'] as const
export type RuntimeId = (typeof RUNTIMES)[number]

/** What runs where neither the check nor its group nor its account says. */
export const CURRENT_RUNTIME: RuntimeId = '2025.04'

/** How Playwright was run: in a process loaded ahead, forked from a loaded one, or by its own command. */
export const SCRIPT_ENGINES = ['warm', 'forked', 'plain'] as const
export const ScriptEngine = Type.Enum(SCRIPT_ENGINES)
export type ScriptEngine = Static<typeof ScriptEngine>

const version = Type.String({ maxLength: 100 })

export const RUNTIME_STAGES = ['ALPHA', 'BETA', 'CURRENT', 'DEPRECATED', 'REMOVED', 'STABLE'] as const

export const Runtime = Type.Object({
  name: Type.String({ examples: ['2025.04'] }),
  multiStepSupport: Type.Boolean(),
  nodeJsVersion: Type.String({
    examples: ['v22.11.0'],
    description: 'By which it is run here; where it is not installed, for which it stands.',
  }),
  stage: Type.Enum(RUNTIME_STAGES),
  runtimeEndOfLife: Type.String({ description: 'MM/DD/YYYY; empty: none is set.' }),
  description: Type.String(),
  dependencies: Type.Record(Type.String(), Type.String(), {
    description:
      'What scripts can import beside the modules of Node.js. Where several runners have it, what all of them have; versions that differ are joined by `||`. Empty: not installed here.',
  }),
})
export type Runtime = Static<typeof Runtime>

/** What each runtime stands for; the newest first. */
export const RUNTIME_FACTS = {
  '2025.04': { playwright: '1.51.1', nodeJsVersion: 'v22.11.0', multiStepSupport: true, stage: 'CURRENT' },
  '2024.09': { playwright: '1.48.2', nodeJsVersion: 'v18.20.3', multiStepSupport: true, stage: 'STABLE' },
  '2024.02': { playwright: '1.42.1', nodeJsVersion: 'v18.20.3', multiStepSupport: true, stage: 'STABLE' },
  '2023.09': { playwright: '1.38.1', nodeJsVersion: 'v18.20.3', multiStepSupport: true, stage: 'DEPRECATED' },
  '2023.02': { playwright: '1.32.1', nodeJsVersion: 'v16.20.2', multiStepSupport: false, stage: 'DEPRECATED' },
  '2022.10': { playwright: '1.28.0', nodeJsVersion: 'v16.20.2', multiStepSupport: false, stage: 'DEPRECATED' },
} as const satisfies Record<
  (typeof RUNTIMES)[number],
  Pick<Runtime, 'nodeJsVersion' | 'multiStepSupport' | 'stage'> & { playwright: string }
>

const runtime = {
  id: Type.Enum(RUNTIMES),
  playwright: version,
  node: version,
  engine: ScriptEngine,
}

export const RunnerRuntime = Type.Object({
  ...runtime,
  packages: Type.Record(Type.String({ maxLength: 214 }), version, {
    maxProperties: 200,
    description: 'What scripts can import, with the versions that are installed.',
  }),
})
export type RunnerRuntime = Static<typeof RunnerRuntime>

export const RunnerBrowser = Type.Object({ name: Type.String({ maxLength: 100 }), version })
export type RunnerBrowser = Static<typeof RunnerBrowser>

/** What can be relied on at a location, whichever of its runners comes. */
export const LocationScripts = Type.Object(
  {
    runtimes: Type.Array(Type.Object(runtime)),
    browser: Nullable(RunnerBrowser, { description: 'Null: no pages can be opened there.' }),
    recordsVideo: Type.Boolean(),
  },
  { description: 'What the runners of this location that are there now have to execute scripts with.' },
)
export type LocationScripts = Static<typeof LocationScripts>

/**
 * The versions of Playwright that suites can ask for, and the runtimes that bring them; the current one first. Those of older
 * runtimes learn of the way out from a configuration of ours, and a suite has its own.
 */
export const PLAYWRIGHT_RUNTIMES: readonly { runtimeId: RuntimeId; version: string }[] = [
  { runtimeId: CURRENT_RUNTIME, version: '1.65.1' },
]
export const PLAYWRIGHT_VERSIONS: readonly string[] = PLAYWRIGHT_RUNTIMES.map(({ version }) => version)

/** The major version of Node.js that suites run with. */
export const SUITE_NODE = '24'

/** `1.65.1` or `1.65`. Undefined: no runtime brings it. */
export function runtimeOfPlaywright(version: string): RuntimeId | undefined {
  const wanted = version.replace(/^v/, '')
  return PLAYWRIGHT_RUNTIMES.find(
    ({ version }) => version === wanted || (version.startsWith(`${wanted}.`) && wanted.includes('.')),
  )?.runtimeId
}
