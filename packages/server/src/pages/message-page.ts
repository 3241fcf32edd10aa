/** A page that is about no page: there is none, or none can be shown. */
import { BASE_STYLE } from './base-style.ts'
import { type PublicDocument, publicDocument } from './document.ts'
import { html } from './html.ts'
import { themeStyle } from './theme.ts'

export function messagePage({ title, text }: { title: string; text: string }): PublicDocument {
  return publicDocument({
    title,
    style: themeStyle('AUTO', null) + BASE_STYLE,
    head: html`<meta name="robots" content="noindex">\n`,
    body: html`<main class="wrap"><h1>${title}</h1>\n<p>${text}</p></main>`,
  })
}
