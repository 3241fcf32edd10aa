/** Maintenance windows between the wire and the store: what a body means, and what an answer shows. */
import { problemOfWindow, type WindowRule } from '@vedette/core'
import type { MaintenanceWindow, MaintenanceWindowCreate, MaintenanceWindowUpdate } from '@vedette/schema'
import { invalidField } from '../../app-error.ts'
import { readDate } from '../instants.ts'
import type { StoredWindow, WindowFields } from './store.ts'

/** @throws AppError `invalid` for what the schema cannot say. */
export function newWindow(body: MaintenanceWindowCreate): WindowFields {
  return merged(body, {
    name: body.name,
    description: null,
    tags: [],
    pauseAllChecks: false,
    startsAtMs: readDate('startsAt', body.startsAt, 'payload'),
    endsAtMs: readDate('endsAt', body.endsAt, 'payload'),
    repeatUnit: null,
    repeatInterval: null,
    repeatEndsAtMs: null,
    timezone: null,
  })
}

/** The stored window with the given fields put over it; absent ones stay. */
export function changedWindow(stored: StoredWindow, body: MaintenanceWindowUpdate): WindowFields {
  const { id: _id, createdAt: _created, updatedAt: _updated, ...fields } = stored
  return merged(body, fields)
}

function merged(body: MaintenanceWindowUpdate, fields: WindowFields): WindowFields {
  const day = (field: 'startsAt' | 'endsAt' | 'repeatEndsAt', text: string) => readDate(field, text, 'payload')
  const window: WindowFields = {
    name: body.name ?? fields.name,
    description: body.description === undefined ? fields.description : body.description,
    tags: [...new Set(body.tags ?? fields.tags)],
    pauseAllChecks: body.pauseAllChecks ?? fields.pauseAllChecks,
    startsAtMs: body.startsAt === undefined ? fields.startsAtMs : day('startsAt', body.startsAt),
    endsAtMs: body.endsAt === undefined ? fields.endsAtMs : day('endsAt', body.endsAt),
    repeatUnit: body.repeatUnit === undefined ? fields.repeatUnit : body.repeatUnit || null,
    repeatInterval: body.repeatInterval === undefined ? fields.repeatInterval : body.repeatInterval,
    repeatEndsAtMs:
      body.repeatEndsAt === undefined
        ? fields.repeatEndsAtMs
        : body.repeatEndsAt === null
          ? null
          : day('repeatEndsAt', body.repeatEndsAt),
    timezone: body.timezone === undefined ? fields.timezone : body.timezone || null,
  }
  if (body.repeatInterval != null && body.repeatUnit === undefined && fields.repeatUnit === null) {
    throw invalidField('repeatUnit', 'is required when "repeatInterval" is set')
  }
  const problem = problemOfWindow(window)
  if (problem !== null) throw invalidField(FIELDS[problem.field], problem.reason)
  return window
}

const FIELDS = {
  startsAtMs: 'startsAt',
  endsAtMs: 'endsAt',
  repeatUnit: 'repeatUnit',
  repeatInterval: 'repeatInterval',
  repeatEndsAtMs: 'repeatEndsAt',
  timezone: 'timezone',
} as const satisfies Record<keyof WindowRule, keyof MaintenanceWindow>

export function toWindow(window: StoredWindow): MaintenanceWindow {
  const iso = (ms: number) => new Date(ms).toISOString()
  return {
    id: window.id,
    name: window.name,
    description: window.description,
    startsAt: iso(window.startsAtMs),
    endsAt: iso(window.endsAtMs),
    repeatUnit: window.repeatUnit,
    repeatInterval: window.repeatInterval,
    repeatEndsAt: window.repeatEndsAtMs === null ? null : iso(window.repeatEndsAtMs),
    timezone: window.timezone,
    tags: window.tags,
    pauseAllChecks: window.pauseAllChecks,
    created_at: window.createdAt.toISOString(),
    updated_at: window.updatedAt?.toISOString() ?? null,
  }
}
