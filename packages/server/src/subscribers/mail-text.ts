/** What subscribers are written, as text and as HTML, which mail programs show without loading anything. */
import { encodings, OF_SEVERITY, OF_STATUS } from '@vedette/core'
import type { News } from './store.ts'

export interface MailText {
  subject: string
  text: string
  html: string
}

export interface MailLinks {
  /** Of the page. */
  page: string
  verify: string
  unsubscribe: string
}

const SUBJECT_LIMIT = 250

export function layOutQuestion(pageName: string, links: MailLinks): MailText {
  const name = shown(pageName)
  return {
    subject: subject(`Please confirm: news of ${name} by mail`),
    text: `Somebody, probably you, asked for news of ${name} to be sent to this address.

Open this link within two days to get them:
${links.verify}

If it was not you, do nothing, and nothing more will come.
The page: ${links.page}
Withdraw the request: ${links.unsubscribe}
`,
    html: document(
      `News of ${name} by mail`,
      ACCENT,
      `<p style="margin:0 0 16px">Somebody, probably you, asked for news of <a href="${markup(links.page)}" style="${LINK}">${markup(name)}</a> to be sent to this address.</p>
<p style="margin:0 0 16px"><a href="${markup(links.verify)}" style="${BUTTON}">Yes, send me news</a></p>
<p style="margin:0 0 16px">The link is good for two days. If it was not you, do nothing, and nothing more will come.</p>
<p style="${SMALL}"><a href="${markup(links.unsubscribe)}" style="${LINK}">Withdraw the request</a></p>`,
    ),
  }
}

export function layOutNews(pageName: string, news: News, links: MailLinks): MailText {
  const name = shown(pageName)
  const incident = shown(news.incident)
  const status = OF_STATUS[news.status]
  const told = shown(news.description)
  const at = `${news.publicAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const facts: [label: string, value: string][] = [
    ['Status', status],
    ['Severity', OF_SEVERITY[news.severity]],
    ['Services', news.services.map(shown).join(', ')],
    ['Time', at],
  ]
  const address = `${links.page}/incidents/${news.incidentId}`
  return {
    subject: subject(`${status}: ${incident} (${name})`),
    text: `${name}: ${incident}

${facts.map(([label, value]) => `${label}: ${value}`).join('\n')}

${told}

${address}

--\x20
You get this because this address is subscribed to ${name}.
Unsubscribe: ${links.unsubscribe}
`,
    html: document(
      incident,
      news.status === 'RESOLVED' ? WELL : TROUBLE[news.severity],
      `<table role="presentation" cellpadding="0" cellspacing="0" style="border-collapse:collapse;font-size:15px;${FONT}">
${facts.map(([label, value]) => `<tr><th scope="row" style="${LABEL}">${label}</th><td style="padding:4px 0">${markup(value)}</td></tr>`).join('\n')}
</table>
<p style="margin:16px 0">${markup(told).replaceAll('\n', '<br>')}</p>
<p style="margin:0 0 24px"><a href="${markup(address)}" style="${LINK}">See it on ${markup(name)}</a></p>
<p style="${SMALL}">You get this because this address is subscribed to ${markup(name)}. <a href="${markup(links.unsubscribe)}" style="${LINK}">Unsubscribe</a></p>`,
    ),
  }
}

const FONT = 'font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'
const LABEL = 'padding:4px 16px 4px 0;vertical-align:top;text-align:left;font-weight:normal;color:#57606a'
const LINK = 'color:#0550ae'
const SMALL = 'margin:0;padding:12px 0 0;border-top:1px solid #d1d9e0;font-size:13px;color:#57606a'
const BUTTON =
  'display:inline-block;padding:8px 16px;border-radius:6px;background:#0550ae;color:#ffffff;text-decoration:none'

const ACCENT = '#0550ae'
const WELL = '#1a7f37'
const TROUBLE: Record<News['severity'], string> = {
  CRITICAL: '#cf222e',
  MAJOR: '#cf222e',
  MEDIUM: '#bf8700',
  MINOR: '#bf8700',
}

function document(title: string, colour: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${markup(title)}</title></head>
<body style="margin:0;padding:24px;background:#ffffff;color:#1f2328;font-size:15px;line-height:1.45;overflow-wrap:anywhere;${FONT}">
<h1 style="margin:0 0 16px;padding:0 0 0 12px;border-left:4px solid ${colour};font-size:20px;line-height:1.3">${markup(title)}</h1>
${body}
</body>
</html>
`
}

function markup(text: string): string {
  return encodings.html(text)
}

/** Without control characters, and without those that turn around how a line reads. */
function shown(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/(?!\n)\p{Cc}+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
}

function subject(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length <= SUBJECT_LIMIT
    ? line
    : `${[...line]
        .slice(0, SUBJECT_LIMIT / 2)
        .join('')
        .trimEnd()}…`
}
