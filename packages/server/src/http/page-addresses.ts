/** Addresses of public pages and the links on them, as bodies give them. */
import { problemOfDomain, problemOfLink, problemOfSubDomain } from '@vedette/core'
import { invalidField } from '../app-error.ts'

/** In lower case. @throws AppError `invalid`. */
export function readSubDomain(field: string, given: string): string {
  const problem = problemOfSubDomain(given)
  if (problem !== null) throw invalidField(field, problem)
  return given.toLowerCase()
}

/** In lower case; an empty text means none. @throws AppError `invalid`. */
export function readDomain(field: string, given: string | null): string | null {
  if (given === null || given === '') return null
  const problem = problemOfDomain(given)
  if (problem !== null) throw invalidField(field, problem)
  return given.toLowerCase()
}

/** Empty texts pass: they mean none. @throws AppError `invalid`. */
export function assertLinks(links: Readonly<Record<string, string | null | undefined>>): void {
  for (const [field, link] of Object.entries(links)) {
    const problem = link == null || link === '' ? null : problemOfLink(link)
    if (problem !== null) throw invalidField(field, problem)
  }
}
