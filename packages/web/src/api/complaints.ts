/** Finds what a refusal says about single fields, by their dotted paths. */
import { Refusal } from './refusal.ts'

export interface Complaints {
  any: boolean
  at: (key: string) => string | undefined
}

export function complaintsIn(error: Error | null): Complaints {
  const keys = error instanceof Refusal ? error.keys.map((key) => key.replace(/\[(\d+)\]/g, '.$1')) : []
  const message = error?.message
  return {
    any: keys.length > 0,
    at: (key) => (keys.some((one) => one === key || one.startsWith(`${key}.`)) ? message : undefined),
  }
}
