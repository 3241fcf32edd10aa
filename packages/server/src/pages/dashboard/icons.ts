/** A shape for each state, so that nobody depends on the colours. */
import { html, type Markup, trusted } from '../html.ts'
import { CHECK_STATES, type CheckState } from './check-state.ts'

const SIGNS: Record<CheckState, string> = {
  failing: 'M7.5 7.5l7 7m0-7l-7 7',
  degraded: 'M11 6v6m0 3.5v.5',
  maintenance: 'M8.5 7v8m5-8v8',
  unknown: 'M8.5 8.8c.2-3.6 5-3.4 5-.3 0 1.8-2.5 2-2.5 4m0 3v.5',
  passing: 'M6.5 11.5l3 3 6-6.5',
  off: 'M7 11h8',
}

/** Once in a document, before they are used. */
export const ICONS = trusted(
  `<svg width="0" height="0" hidden aria-hidden="true">${CHECK_STATES.map(
    (state) =>
      `<symbol id="${state}" viewBox="0 0 22 22"><circle cx="11" cy="11" r="11" fill="currentColor"/><path d="${SIGNS[state]}" fill="none" stroke="var(--card-background-color)" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></symbol>`,
  ).join('')}</svg>`,
)

export function icon(state: CheckState): Markup {
  return html`<svg class="icon ${state}" aria-hidden="true"><use href="#${state}"/></svg>`
}
