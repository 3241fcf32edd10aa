/** As what files of runs are sent: a script may say that its page of scripts is a picture. */

/** What a browser may show by itself. */
const SHOWN = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'video/webm'])
const SAVED = new Set(['application/zip', 'application/json', 'text/plain', 'text/csv', 'application/pdf'])

export interface SentAs {
  contentType: string
  disposition: string
}

/** @param name of characters that need no quotes */
export function sentAs(contentType: string, name: string): SentAs {
  const [type = ''] = contentType.split(';').map((part) => part.trim().toLowerCase())
  if (SHOWN.has(type)) return { contentType: type, disposition: `inline; filename="${name}"` }
  const safe = SAVED.has(type) ? type : 'application/octet-stream'
  return {
    contentType: safe.startsWith('text/') ? `${safe}; charset=utf-8` : safe,
    disposition: `attachment; filename="${name}"`,
  }
}
