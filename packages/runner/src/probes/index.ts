import type { RunnableKind } from '@vedette/schema'
import { apiProbe } from './api.ts'
import type { Probe } from './probe.ts'

export const probes: { [K in RunnableKind]: Probe<K> } = { API: apiProbe }
