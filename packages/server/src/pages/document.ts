/** The frame of every public page: one document without scripts, and the policy that keeps it so. */
import { createHash } from 'node:crypto'
import { problemOfLink } from '@vedette/core'
import { html, type Markup, trusted } from './html.ts'

export interface PublicDocument {
  text: string
  /** For the header `content-security-policy`. */
  policy: string
}

export interface DocumentParts {
  title: string
  /** Ours alone: it is not escaped. */
  style: string
  head?: Markup
  /** Whether a form on it is sent back to where the page came from. */
  hasForm?: boolean
  /** Whether it has a style sheet beside `style`, from where the page came from. */
  hasStyleSheet?: boolean
  /** Where images may come from besides its own host; without it from any host by https. */
  imageHosts?: readonly string[]
  body: Markup
}

export function publicDocument(parts: DocumentParts): PublicDocument {
  const { title, style, head, body, hasForm = false, hasStyleSheet = false, imageHosts = ['https:', 'data:'] } = parts
  const hash = createHash('sha256').update(style).digest('base64')
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head ?? null}<style>${trusted(style)}</style>
</head>
<body>
${body}
</body>
</html>
`
  return {
    text,
    policy: [
      "default-src 'none'",
      `style-src 'sha256-${hash}'${hasStyleSheet ? " 'self'" : ''}`,
      `img-src ${["'self'", ...imageHosts].join(' ')}`,
      "base-uri 'none'",
      `form-action ${hasForm ? "'self'" : "'none'"}`,
      "frame-ancestors 'none'",
    ].join('; '),
  }
}

/** A link that somebody set, if a page may show it; null otherwise, and for an empty text, which means none. */
export function shownLink(link: string | null): string | null {
  return link === null || link === '' || problemOfLink(link) !== null ? null : link
}
