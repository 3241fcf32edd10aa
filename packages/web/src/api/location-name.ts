import { DATA_CENTER_NAMES } from '@vedette/schema'

const names = new Map<string, string>(Object.entries(DATA_CENTER_NAMES))

/** The name people know a location by; a private location is known by its slug. */
export const locationName = (location: string): string => names.get(location) ?? location

/** Orders locations as people read them. */
export const byLocationName = (a: string, b: string): number => locationName(a).localeCompare(locationName(b))
