/** An alert as mail: the same facts as text and as HTML, which mail programs show without loading anything. */
import { encodings } from '@vedette/core'
import { type AlertMessage, type AlertType, isFoundByRun } from '@vedette/schema'

export interface EmailMessage {
  subject: string
  text: string
  html: string
}

const SUBJECT_LIMIT = 250
const ACKNOWLEDGE = 'Acknowledge: I am on it'

export function layOutEmail(message: AlertMessage): EmailMessage {
  const title = shown(message.ALERT_TITLE)
  const note = shown(message.DELIVERY_NOTE)
  const lines = message.DIGEST_LIST.map(shown)
  const facts = message.IS_DIGEST ? [] : factsOf(message)
  const { RESULT_LINK: link, ACKNOWLEDGE_LINK: acknowledge } = message
  return {
    subject: title.length > SUBJECT_LIMIT ? `${title.slice(0, SUBJECT_LIMIT - 1).trimEnd()}…` : title,
    text: [
      title,
      ...(note === '' ? [] : ['', note]),
      '',
      ...lines,
      ...facts.map(asText),
      '',
      link,
      ...(acknowledge === '' ? [] : ['', `${ACKNOWLEDGE}: ${acknowledge}`]),
    ].join('\n'),
    html: asHtml({ title, note, lines, facts, link, acknowledge, colour: colours[message.ALERT_TYPE] }),
  }
}

interface Fact {
  label: string
  value: string
}

/** What there is to tell: what an alert knows nothing of is left out. */
function factsOf(message: AlertMessage): Fact[] {
  const { RUN_LOCATION, REGION, API_CHECK_RESPONSE_STATUS_CODE: code, SSL_DAYS_REMAINING: days } = message
  const hasRun = isFoundByRun(message.CHECK_TYPE, message.ALERT_TYPE)
  const facts: [label: string, value: string][] = [
    ['Check', message.CHECK_NAME],
    ['Type', message.CHECK_TYPE],
    ['Group', message.GROUP_NAME],
    ['Description', message.CHECK_DESCRIPTION],
    ['Location', RUN_LOCATION === '' ? REGION : `${RUN_LOCATION} (${REGION})`],
    ['Response time', hasRun ? `${message.RESPONSE_TIME} ms` : ''],
    ['Response status', `${code} ${message.API_CHECK_RESPONSE_STATUS_TEXT}`.trim()],
    ['Error', message.CHECK_ERROR_MESSAGE],
    ['Certificate of', message.SSL_CHECK_DOMAIN],
    ['Days remaining', days],
    ['Held because of it', message.HELD_CHECKS],
    ['Tags', message.TAGS.join(', ')],
    ['Reminder', message.IS_REMINDER ? String(message.REMINDER_SEQUENCE) : ''],
    ['Started', message.STARTED_AT],
  ]
  return facts.map(([label, value]) => ({ label, value: shown(value) })).filter(({ value }) => value !== '')
}

/** Lines after the first stand below it. */
function asText({ label, value }: Fact): string {
  return `${label}: ${value.replaceAll('\n', '\n  ')}`
}

interface Page {
  title: string
  note: string
  /** Of a digest. */
  lines: readonly string[]
  facts: readonly Fact[]
  link: string
  /** Empty where there is nothing to acknowledge. */
  acknowledge: string
  colour: string
}

const FONT = 'font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'
const LABEL =
  'padding:4px 16px 4px 0;vertical-align:top;text-align:left;font-weight:normal;color:#57606a;white-space:nowrap'
const VALUE = 'padding:4px 0;vertical-align:top;word-break:break-word;overflow-wrap:anywhere'

function asHtml({ title, note, lines, facts, link, acknowledge, colour }: Page): string {
  const rows = facts.map(({ label, value }) => {
    const lines = encodings.html(value).replaceAll('\n', '<br>')
    return `<tr><th scope="row" style="${LABEL}">${encodings.html(label)}</th><td style="${VALUE}">${lines}</td></tr>`
  })
  const noted = note === '' ? [] : [`<p style="margin:0 0 16px;color:#57606a">${encodings.html(note)}</p>`]
  const items = lines.map((line) => `<li style="${VALUE}">${encodings.html(line)}</li>`)
  const listed = items.length === 0 ? [] : [`<ul style="margin:0;padding:0 0 0 20px">`, ...items, '</ul>']
  const table = `<table role="presentation" cellpadding="0" cellspacing="0" style="border-collapse:collapse;font-size:15px;${FONT}">`
  const tabled = rows.length === 0 ? [] : [table, ...rows, '</table>']
  return `<!doctype html>
<html>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${encodings.html(title)}</title></head>
<body style="margin:0;padding:24px;background:#ffffff;color:#1f2328;font-size:15px;line-height:1.45;${FONT}">
<h1 style="margin:0 0 16px;padding:0 0 0 12px;border-left:4px solid ${colour};font-size:20px;line-height:1.3;word-break:break-word">${encodings.html(title)}</h1>
${[...noted, ...listed, ...tabled].join('\n')}
<p style="margin:20px 0 0"><a href="${encodings.html(link)}" style="color:#0550ae">Open it in Vedette</a></p>
${acknowledge === '' ? '' : `<p style="margin:12px 0 0"><a href="${encodings.html(acknowledge)}" style="color:#0550ae">${ACKNOWLEDGE}</a></p>\n`}</body>
</html>
`
}

const FAILURE = '#cf222e'
const DEGRADED = '#bf8700'
const WELL = '#1a7f37'

const colours: { [T in AlertType]: string } = {
  NO_ALERT: WELL,
  ALERT_FAILURE: FAILURE,
  ALERT_FAILURE_REMAIN: FAILURE,
  ALERT_DEGRADED_FAILURE: FAILURE,
  ALERT_DEGRADED: DEGRADED,
  ALERT_DEGRADED_REMAIN: DEGRADED,
  ALERT_FAILURE_DEGRADED: DEGRADED,
  ALERT_SSL: DEGRADED,
  ALERT_RECOVERY: WELL,
  ALERT_DEGRADED_RECOVERY: WELL,
}

/** Texts come from targets too: without control characters, and without those that turn around how a line reads. */
function shown(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/(?!\n)\p{Cc}+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
}
