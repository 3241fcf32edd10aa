/** How people ask for mail of a status page, say that they want it, and end it. Forms without scripts. */
import type { PublicDocument } from '../document.ts'
import { html, type Markup } from '../html.ts'
import { frame, type Showing } from './frame.ts'
import type { PublicPage } from './store.ts'

/** The name of the field of the form. */
export const ADDRESS_FIELD = 'address'

export function subscribeForm(base: string, wrong: { address: string; problem: string } | null = null): Markup {
  return html`<form method="post" action="${base}/subscribe">
<label for="address">Your e-mail address</label>
${wrong === null ? null : html`<p id="problem" class="problem" role="alert">${wrong.problem}</p>\n`}<div class="field"><input id="address" name="${ADDRESS_FIELD}" type="email" required maxlength="254" autocomplete="email" value="${wrong?.address ?? ''}"${
    wrong === null ? null : html` aria-invalid="true" aria-describedby="problem"`
  }>
<button>Subscribe</button></div>
<p class="small muted">You get a mail with a link that you open to confirm. Every mail has a link that ends it.</p>
</form>`
}

export function subscribeDocument(
  page: PublicPage,
  showing: Showing,
  wrong: { address: string; problem: string } | null = null,
): PublicDocument {
  const title = 'News by mail'
  return said(page, showing, title, html`<div class="box">${subscribeForm(showing.base, wrong)}</div>`, true)
}

/** The same, whether the address is new, has been asked or is subscribed. */
export function askedDocument(page: PublicPage, showing: Showing, address: string): PublicDocument {
  return said(
    page,
    showing,
    'Look into your mailbox',
    html`<p>If ${address} does not get news of this page yet, a mail with a link is on its way there. Open the link within two days.</p>
<p class="muted">Nothing came? Look into the folder for unwanted mail, or ask again in ten minutes.</p>`,
  )
}

export function tooManyDocument(page: PublicPage, showing: Showing): PublicDocument {
  return said(page, showing, 'Not now', html`<p>Too many have asked for mail just now. Please try again later.</p>`)
}

export function verifiedDocument(page: PublicPage, showing: Showing): PublicDocument {
  return said(
    page,
    showing,
    'You are subscribed',
    html`<p>News of ${page.name} will come by mail. Every mail has a link that ends it.</p>`,
  )
}

export function unsubscribeDocument(page: PublicPage, showing: Showing): PublicDocument {
  return said(
    page,
    showing,
    'No more news by mail?',
    html`<form class="box" method="post"><p>Press the button, and no more news of ${page.name} will come to your address.</p>
<button>Unsubscribe</button></form>`,
    true,
  )
}

export function unsubscribedDocument(page: PublicPage, showing: Showing): PublicDocument {
  return said(
    page,
    showing,
    'You are unsubscribed',
    html`<p>No more news of ${page.name} will come to your address.</p>`,
  )
}

function said(page: PublicPage, showing: Showing, title: string, text: Markup, hasForm = false): PublicDocument {
  const main = html`<h1>${title}</h1>
${text}
<p><a href="${showing.base || '/'}">Back to the status</a></p>`
  return frame(page, showing, { title: `${title}: ${page.name}`, path: '', main, hasForm })
}
