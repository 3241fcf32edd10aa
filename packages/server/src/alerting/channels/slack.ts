/** Posts to an incoming webhook of Slack. */
import type { AlertMessage, SlackConfig } from '@vedette/schema'
import { escapedWithin } from './escaped-within.ts'
import { factsOf } from './facts.ts'
import { httpChannel } from './http-channel.ts'
import { acknowledgeLinkOf, jsonRequest, linkOf, parseUrl } from './http-request.ts'
import { maskUrl } from './mask.ts'
import { type News, newsOf } from './news.ts'
import { judgeByStatus } from './provider-answer.ts'
import { renderer } from './webhook-message.ts'

/** The limits that Slack publishes for its blocks. */
const HEADER_LIMIT = 150
const SECTION_LIMIT = 3000
const FIELD_LIMIT = 2000
const FIELDS_LIMIT = 10
/** Of what stands in a notification of the system. */
const FALLBACK_LIMIT = 1000

const colours: Readonly<Record<News, string>> = {
  failure: '#d1242f',
  degraded: '#d4a72c',
  recovery: '#1a7f37',
  certificate: '#d4a72c',
}

export const slack = httpChannel({
  type: 'SLACK',
  request: (message, config, context) =>
    jsonRequest(parseUrl(renderer(message, context)('url', config.url, 'url')), slackMessage(message, config)),
  judge: judgeByStatus,
  maskUrl: (url) => maskUrl(url, { lastIsSecret: true }),
  // The whole of the path: whoever knows it can post.
  secretsOf: ({ url }) => [url, URL.parse(url)?.pathname ?? '', url.split('/').at(-1) ?? ''],
})

export function slackMessage(message: AlertMessage, { channel }: Pick<SlackConfig, 'channel'>) {
  const title = message.ALERT_TITLE.trim() || message.CHECK_NAME.trim() || 'Alert'
  const error = message.CHECK_ERROR_MESSAGE.trim()
  const link = linkOf(message)
  const acknowledge = acknowledgeLinkOf(message)
  const note = message.DELIVERY_NOTE.trim()
  const fallback = written(title, FALLBACK_LIMIT)
  const fields = factsOf(message)
    .slice(0, FIELDS_LIMIT)
    .map(({ name, value }) => markdown(`*${name}*\n${written(value, FIELD_LIMIT - name.length - 3)}`))
  return {
    ...(channel ? { channel } : {}),
    text: fallback,
    blocks: [{ type: 'header', text: { type: 'plain_text', text: written(title, HEADER_LIMIT), emoji: false } }],
    attachments: [
      {
        color: colours[newsOf(message.ALERT_TYPE)],
        fallback,
        blocks: [
          ...(message.IS_DIGEST ? [section(listed(message.DIGEST_LIST))] : errorSection(error)),
          ...(fields.length === 0 ? [] : [{ type: 'section', fields }]),
          ...(link === null ? [] : linkSection(link, message.IS_DIGEST ? 'Open all alerts' : 'Open the result')),
          ...(acknowledge === null || acknowledge.length > SECTION_LIMIT
            ? []
            : [linkButton('Acknowledge', acknowledge)]),
          ...(note === '' ? [] : [{ type: 'context', elements: [markdown(written(note, SECTION_LIMIT))] }]),
        ],
      },
    ],
  }
}

function errorSection(error: string) {
  return error === '' ? [] : [section(`\`\`\`${written(withoutFences(error), SECTION_LIMIT - 6)}\`\`\``)]
}

/** Lines are short enough for some twenty of them. */
const listed = (lines: readonly string[]) => written(lines.map((line) => `• ${line}`).join('\n'), SECTION_LIMIT)

/** An address that does not fit is none at all. */
function linkSection(link: string, words: string) {
  const text = `<${[...link.replaceAll('|', '%7C')].map(escaped).join('')}|${words}>`
  return text.length > SECTION_LIMIT ? [] : [section(text)]
}

const linkButton = (text: string, url: string) => ({
  type: 'actions',
  elements: [{ type: 'button', text: { type: 'plain_text', text }, url }],
})
const markdown = (text: string) => ({ type: 'mrkdwn', text })
const section = (text: string) => ({ type: 'section', text: markdown(text) })
const written = (text: string, limit: number) => escapedWithin(text, limit, escaped)
const escaped = (character: string) => ESCAPES[character] ?? character
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
/** Nothing in the text may end the code that it is shown as. */
const withoutFences = (text: string) => text.replaceAll('```', "'''")
