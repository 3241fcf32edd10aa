/** The page behind the link of a message: what is in trouble, and a button. It opens nothing and works without scripts. */
import type { Acknowledgement } from '@vedette/schema'
import { type PublicDocument, publicDocument } from './document.ts'
import { html, type Markup } from './html.ts'
import { instant } from './instants.ts'
import { STATUS_STYLE } from './status/style.ts'
import { themeStyle } from './theme.ts'

export interface TroubleShown {
  name: string
  state: 'degraded' | 'failing'
  sinceMs: number
}

export type AcknowledgeView =
  | { kind: 'open'; trouble: TroubleShown }
  | { kind: 'acknowledged'; trouble: TroubleShown; acknowledgement: Acknowledgement }
  | { kind: 'over'; name: string }
  | { kind: 'expired' }
  | { kind: 'unknown' }

const BUTTON_STYLE =
  'form{margin-top:16px}button{font:inherit;font-weight:600;padding:10px 20px;border:0;border-radius:6px;cursor:pointer;' +
  'background:var(--primary-button-background-color);color:var(--primary-button-font-color)}' +
  'button:focus-visible{outline:2px solid var(--link-font-color);outline-offset:2px}'

export function acknowledgeDocument(view: AcknowledgeView): PublicDocument {
  const { title, text } = contentOf(view)
  return publicDocument({
    title,
    style: themeStyle('AUTO', null) + STATUS_STYLE + BUTTON_STYLE,
    head: html`<meta name="robots" content="noindex">\n`,
    hasForm: view.kind === 'open',
    body: html`<main class="wrap"><div class="box"><h1>${title}</h1>\n${text}</div></main>`,
  })
}

function contentOf(view: AcknowledgeView): { title: string; text: Markup } {
  switch (view.kind) {
    case 'open':
      return {
        title: titleOf(view.trouble),
        text: html`${since(view.trouble)}
<p>Say that you are on it, and nobody is reminded of this trouble any more. Its end is still told.</p>
<form method="post"><button type="submit">I am on it</button></form>`,
      }
    case 'acknowledged': {
      const { by, at, note } = view.acknowledgement
      return {
        title: titleOf(view.trouble),
        text: html`${since(view.trouble)}
<p role="status"><b class="good">Acknowledged</b> by ${by}, ${instant(Date.parse(at))}.</p>
${note === null ? null : html`<p class="text muted">${note}</p>`}`,
      }
    }
    case 'over':
      return {
        title: 'This trouble is over',
        text: html`<p>${view.name} has come out of the trouble that the message was about. There is nothing to acknowledge.</p>`,
      }
    case 'expired':
      return {
        title: 'This link is no longer good',
        text: html`<p>A link from a message is good for a week. A newer message about the trouble has a new one.</p>`,
      }
    case 'unknown':
      return { title: 'Not found', text: html`<p>There is nothing at this address.</p>` }
  }
}

const titleOf = ({ name, state }: TroubleShown) => `${name} is ${state}`
const since = ({ sinceMs }: TroubleShown) => html`<p class="muted">Since ${instant(sinceMs)}.</p>`
