/** What an operation takes part in, by what it is. */
import type { Route } from '@vedette/schema'
import { isByRole } from './words.ts'

/** Runners come as often as there is work; everybody else is counted. */
export function isPaced(route: Route): boolean {
  return route.policy !== 'runner' && route.path !== '/health'
}

/** Whether it acts in an account, that a header may name. */
export function hasAccount(route: Route): boolean {
  return isByRole(route.policy) || route.policy === 'operator'
}

/** Whether it creates something, and may be sent again with the same `Idempotency-Key`. Equal files are one by themselves. */
export function isRepeatable(route: Route): boolean {
  return (
    hasAccount(route) &&
    route.method === 'POST' &&
    route.takesBytes !== true &&
    Object.hasOwn(route.answers, 201) &&
    /^\/v\d+\//.test(route.path)
  )
}

/** Whether its answer carries an `ETag`. */
export function isTagged(route: Route): boolean {
  return route.method === 'GET' && Object.hasOwn(route.answers, 200) && !/^\/(runner|health)\b/.test(route.path)
}
