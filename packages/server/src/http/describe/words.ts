/** Who may call an operation and how often, in words. */
import { type Policy, type Rate, ROLES, type Role, type Route } from '@vedette/schema'
import { isAllowed } from '../../auth/caller.ts'

type ByRole = 'read' | 'run' | 'write' | 'admin' | 'owner'

const OTHERS: Record<Exclude<Policy, ByRole>, string> = {
  public: 'anyone, no key is needed.',
  session: 'a person who is signed in to the web application.',
  operator: 'owners of the first account of the installation.',
  runner: 'runners, with the key of their location.',
  token: 'whoever knows the secret that is part of the call; no key is needed.',
}

export function whoMayCall(policy: Policy): string {
  if (!isByRole(policy)) return OTHERS[policy]
  const roles: Role[] = ROLES.filter((role) => isAllowed(role, policy))
  return roles.length === ROLES.length
    ? 'keys and people of the account, whatever their role.'
    : `keys and people of the account with the role ${listOf(roles.map((role) => `\`${role}\``))}.`
}

export function isByRole(policy: Policy): policy is ByRole {
  return !Object.hasOwn(OTHERS, policy)
}

function listOf(words: readonly string[]): string {
  return words.length === 1 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

export function inWords({ requests, seconds }: Rate): string {
  const unit = { 1: 'second', 60: 'minute', 3600: 'hour', 86400: 'day' }[seconds]
  return `${requests} requests in ${unit === undefined ? `${seconds} seconds` : `a${unit === 'hour' ? 'n' : ''} ${unit}`}`
}

/** What an operation does, who may call it, and what is special about it. In Markdown. */
export function descriptionOf(route: Route): string {
  return [
    route.description,
    `**Who may call it:** ${whoMayCall(route.policy)}`,
    route.rate && `**Rate:** ${inWords(route.rate)}.`,
    route.deprecated && '**Deprecated:** it is kept for clients that use it; new ones should not.',
    route.compatBody && 'Installations that run with `CLIENT_COMPAT` also accept a less strict body.',
  ]
    .filter((part) => typeof part === 'string')
    .join('\n\n')
}
