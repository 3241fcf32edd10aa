/** The runtimes that scripts can ask for, as their users know them. */
import Type, { type Static } from 'typebox'
import type { RUNTIMES } from './check.ts'

export const RUNTIME_STAGES = ['ALPHA', 'BETA', 'CURRENT', 'DEPRECATED', 'REMOVED', 'STABLE'] as const

export const Runtime = Type.Object({
  name: Type.String({ examples: ['2025.04'] }),
  multiStepSupport: Type.Boolean(),
  nodeJsVersion: Type.String({ examples: ['v22.11.0'] }),
  stage: Type.Enum(RUNTIME_STAGES),
  runtimeEndOfLife: Type.String({ description: 'MM/DD/YYYY; empty: none is set.' }),
  description: Type.String(),
  dependencies: Type.Record(Type.String(), Type.String(), { description: 'Packages beside those of Node.js.' }),
})
export type Runtime = Static<typeof Runtime>

/** What each runtime stands for; the newest first. */
export const RUNTIME_FACTS = {
  '2025.04': { nodeJsVersion: 'v22.11.0', multiStepSupport: true, stage: 'CURRENT' },
  '2024.09': { nodeJsVersion: 'v18.20.3', multiStepSupport: true, stage: 'STABLE' },
  '2024.02': { nodeJsVersion: 'v18.20.3', multiStepSupport: true, stage: 'STABLE' },
  '2023.09': { nodeJsVersion: 'v18.20.3', multiStepSupport: true, stage: 'DEPRECATED' },
  '2023.02': { nodeJsVersion: 'v16.20.2', multiStepSupport: false, stage: 'DEPRECATED' },
  '2022.10': { nodeJsVersion: 'v16.20.2', multiStepSupport: false, stage: 'DEPRECATED' },
} as const satisfies Record<(typeof RUNTIMES)[number], Pick<Runtime, 'nodeJsVersion' | 'multiStepSupport' | 'stage'>>

/** Packages beside those of Node.js that scripts may import, as they are installed. */
export const SCRIPT_PACKAGES = {
  axios: '1.21.1',
  'crypto-js': '4.2.0',
  'date-fns': '4.4.0',
  'form-data': '4.0.6',
  graphql: '16.15.0',
  jsonwebtoken: '9.0.3',
  lodash: '4.18.1',
  moment: '2.31.0',
  uuid: '14.0.3',
  ws: '8.23.0',
  zod: '4.6.7',
} as const
