/** How the services of a page are, worked out from what was read: pure rules. */
import { averageUptime, joinTrouble, occurrencesBetween, serviceUptime, troubleSpan, uptimeByDay } from '@vedette/core'
import { DAY_MS, dayOf } from '../instants.ts'
import type {
  IncidentOutline,
  PublicIncident,
  PublicPage,
  PublicService,
  ServiceMaintenance,
  Severity,
} from './store.ts'

/** How long resolved incidents stay on the page itself. */
export const PAST_DAYS = 14
/** Maintenance is announced so long before. */
const AHEAD_MS = 14 * DAY_MS
/** Of a kind; the history has them all. */
const MOST_SHOWN = 30
const MOST_IN_FEEDS = 30

/** From the worst. */
export const SEVERITIES = ['CRITICAL', 'MAJOR', 'MEDIUM', 'MINOR'] as const satisfies readonly Severity[]

export type ServiceState = Severity | 'MAINTENANCE' | 'WORKING'

export interface ShownDay {
  fromMs: number
  /** Null before the service was there. */
  uptime: number | null
  troubleMs: number
}

export interface ShownService {
  name: string
  state: ServiceState
  uptime: number
  days: ShownDay[]
}

export interface ShownMaintenance {
  fromMs: number
  untilMs: number
  isRunning: boolean
  services: string[]
}

export interface ShownIncident extends PublicIncident {
  services: string[]
}

export interface StatusView {
  page: PublicPage
  asOfMs: number
  overall: ServiceState
  cards: { name: string; uptime: number | null; services: ShownService[] }[]
  open: ShownIncident[]
  /** By the day on which they were resolved, the last one first. */
  past: { dayMs: number; incidents: ShownIncident[] }[]
  maintenance: ShownMaintenance[]
  /** For feeds: the ones told of last, first. */
  latest: ShownIncident[]
}

export function isOpen({ steps }: IncidentOutline): boolean {
  return steps.at(-1)?.status !== 'RESOLVED'
}

export function beganAt({ steps }: IncidentOutline): number {
  return steps[0]?.atMs ?? 0
}

export function lastToldAt({ steps }: IncidentOutline): number {
  return steps.at(-1)?.atMs ?? 0
}

/** Those whose updates are wanted as well. */
export function incidentsToShow(incidents: readonly IncidentOutline[], nowMs: number): IncidentOutline[] {
  const { open, past, latest } = choose(incidents, nowMs)
  return [...new Set([...open, ...past, ...latest])]
}

function choose<Incident extends IncidentOutline>(incidents: readonly Incident[], nowMs: number) {
  const told = incidents.toSorted((a, b) => lastToldAt(b) - lastToldAt(a))
  const since = dayOf(nowMs) - (PAST_DAYS - 1) * DAY_MS
  return {
    open: told.filter(isOpen).slice(0, MOST_SHOWN),
    past: told.filter((incident) => !isOpen(incident) && lastToldAt(incident) >= since).slice(0, MOST_SHOWN),
    latest: told.slice(0, MOST_IN_FEEDS),
  }
}

export function servicesOf(page: PublicPage): PublicService[] {
  return page.cards.flatMap(({ services }) => services)
}

export function nameServices(page: PublicPage): (ids: readonly string[]) => string[] {
  const names = new Map(servicesOf(page).map(({ id, name }) => [id, name]))
  return (ids) => ids.flatMap((id) => names.get(id) ?? [])
}

export function viewOf(
  page: PublicPage,
  found: {
    incidents: readonly IncidentOutline[]
    shown: readonly PublicIncident[]
    maintenance: readonly ServiceMaintenance[]
  },
  nowMs: number,
): StatusView {
  const nameOf = nameServices(page)
  const windows = found.maintenance.flatMap(({ rule, serviceIds }) => {
    const [next] = occurrencesBetween(rule, nowMs, nowMs + AHEAD_MS)
    return next === undefined
      ? []
      : [{ fromMs: next.startsAtMs, untilMs: next.endsAtMs, isRunning: next.startsAtMs <= nowMs, serviceIds }]
  })
  const paused = new Set(windows.filter(({ isRunning }) => isRunning).flatMap(({ serviceIds }) => serviceIds))
  const cards = page.cards.map(({ name, services }) => {
    const shown = services.map((service) => showService(service, found.incidents, paused.has(service.id), nowMs))
    return { name, uptime: averageUptime(shown.map(({ uptime }) => uptime)), services: shown }
  })
  const { open, past, latest } = choose(
    found.shown.map((incident): ShownIncident => ({ ...incident, services: nameOf(incident.serviceIds) })),
    nowMs,
  )
  return {
    page,
    asOfMs: nowMs,
    overall: worst(cards.flatMap(({ services }) => services.map(({ state }) => state))),
    cards,
    open,
    past: [...Map.groupBy(past, (incident) => dayOf(lastToldAt(incident)))].map(([dayMs, incidents]) => ({
      dayMs,
      incidents,
    })),
    maintenance: windows
      .toSorted((a, b) => a.fromMs - b.fromMs)
      .map(({ serviceIds, ...window }) => ({ ...window, services: nameOf(serviceIds) })),
    latest,
  }
}

function showService(
  { id, name, createdAtMs }: PublicService,
  incidents: readonly IncidentOutline[],
  isPaused: boolean,
  nowMs: number,
): ShownService {
  const own = incidents.filter(({ serviceIds }) => serviceIds.includes(id))
  const trouble = joinTrouble(
    own.flatMap(({ steps }) => troubleSpan(steps) ?? []),
    nowMs,
  )
  // Trouble of before it was told of here was looked at by somebody too.
  const knownSinceMs = Math.min(createdAtMs, trouble[0]?.fromMs ?? createdAtMs)
  const states = own.filter(isOpen).map(({ severity }): ServiceState => severity)
  return {
    name,
    state: worst(isPaused ? [...states, 'MAINTENANCE'] : states),
    uptime: serviceUptime(trouble, nowMs),
    days: uptimeByDay(trouble, nowMs).map(({ fromMs, untilMs, troubleMs, uptime }) => ({
      fromMs,
      troubleMs,
      uptime: untilMs <= knownSinceMs ? null : uptime,
    })),
  }
}

function worst(states: readonly ServiceState[]): ServiceState {
  return ([...SEVERITIES, 'MAINTENANCE'] as const).find((state) => states.includes(state)) ?? 'WORKING'
}
