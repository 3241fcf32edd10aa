/** What chat services want to be sent: the templates of webhooks that name one of them and give no body of their own. */
import type { KeyValue } from '../shape.ts'

export interface WebhookPreset {
  /** As `webhookType`. */
  type: string
  label: string
  /** How the URL looks and what to put into it. */
  url: string
  /** Within the limits that the service publishes, whatever the alert says. */
  template: string
  headers: readonly KeyValue[]
  /** Those that the service needs and only the user knows. */
  queryParameters: readonly string[]
}

const header = (key: string, value: string): KeyValue => ({ key, value, locked: false })

/** A value for each kind of news. */
const byNews = ({ failure, degraded, recovery }: { failure: string; degraded: string; recovery: string }) =>
  `{{#if (or (eq ALERT_TYPE "ALERT_RECOVERY") (eq ALERT_TYPE "ALERT_DEGRADED_RECOVERY"))}}${recovery}{{else if (or (eq ALERT_TYPE "ALERT_FAILURE") (eq ALERT_TYPE "ALERT_FAILURE_REMAIN") (eq ALERT_TYPE "ALERT_DEGRADED_FAILURE"))}}${failure}{{else}}${degraded}{{/if}}`

const hex = byNews({ failure: '#d1242f', degraded: '#d4a72c', recovery: '#1a7f37' })
const where =
  '{{truncate CHECK_NAME 200}}{{#unless IS_DIGEST}}, {{CHECK_TYPE}}{{/unless}}{{#if RUN_LOCATION}}, {{truncate RUN_LOCATION 100}}{{/if}}'

/** That the message comes late, or in place of another one, on a line of its own. */
const note = (newLine: string) => `{{#if DELIVERY_NOTE}}${newLine}{{truncate DELIVERY_NOTE 400}}{{/if}}`

const held = 'Held because of it: {{truncate HELD_CHECKS 400}}'
/** Below the error, where JSON holds Markdown. */
const more = `{{#if HELD_CHECKS}}\\n${held}{{/if}}{{#if ACKNOWLEDGE_LINK}}\\n[Acknowledge]({{ACKNOWLEDGE_LINK}}){{/if}}`

export const WEBHOOK_PRESETS: readonly WebhookPreset[] = [
  {
    type: 'WEBHOOK_DISCORD',
    label: 'Discord',
    url: 'https://discord.com/api/webhooks/…',
    template: `{
  "username": "Vedette",
  "allowed_mentions": {"parse": []},
  "embeds": [{
    "title": "{{truncate ALERT_TITLE 256}}",
    "url": "{{RESULT_LINK}}",
    "description": "{{truncate CHECK_ERROR_MESSAGE 3000}}${note('\\n')}${more}",
    "color": ${byNews({ failure: '13706287', degraded: '13936428', recovery: '1736503' })},
    "timestamp": "{{STARTED_AT}}",
    "footer": {"text": "${where}"}
  }]
}`,
    headers: [],
    queryParameters: [],
  },
  {
    type: 'WEBHOOK_MSTEAMS',
    label: 'Microsoft Teams',
    url: 'https://….logic.azure.com/workflows/…, from the Workflows of a channel',
    template: `{
  "type": "message",
  "attachments": [{
    "contentType": "application/vnd.microsoft.card.adaptive",
    "contentUrl": null,
    "content": {
      "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
      "type": "AdaptiveCard",
      "version": "1.4",
      "body": [
        {"type": "TextBlock", "size": "Medium", "weight": "Bolder", "wrap": true, "color": "${byNews({ failure: 'Attention', degraded: 'Warning', recovery: 'Good' })}", "text": "{{truncate ALERT_TITLE 400}}"},
        {"type": "TextBlock", "isSubtle": true, "spacing": "None", "wrap": true, "text": "${where}"}{{#if CHECK_ERROR_MESSAGE}},
        {"type": "TextBlock", "wrap": true, "text": "{{truncate CHECK_ERROR_MESSAGE 2500}}"}{{/if}}{{#if HELD_CHECKS}},
        {"type": "TextBlock", "wrap": true, "text": "${held}"}{{/if}}{{#if DELIVERY_NOTE}},
        {"type": "TextBlock", "wrap": true, "isSubtle": true, "text": "{{truncate DELIVERY_NOTE 400}}"}{{/if}}
      ],
      "actions": [
        {"type": "Action.OpenUrl", "title": "Open the result", "url": "{{RESULT_LINK}}"}{{#if ACKNOWLEDGE_LINK}},
        {"type": "Action.OpenUrl", "title": "Acknowledge", "url": "{{ACKNOWLEDGE_LINK}}"}{{/if}}
      ]
    }
  }]
}`,
    headers: [],
    queryParameters: [],
  },
  {
    type: 'WEBHOOK_TELEGRAM',
    label: 'Telegram',
    url: 'https://api.telegram.org/bot…/sendMessage, with the token of the bot. The query parameter chat_id below names the chat.',
    // Plain text: the service refuses a message whose mark-up is not perfect.
    template: `disable_web_page_preview=true&text={{truncate ALERT_TITLE 400}}{{#if CHECK_ERROR_MESSAGE}}%0A%0A{{truncate CHECK_ERROR_MESSAGE 2500}}{{/if}}${note('%0A%0A')}%0A%0A{{truncate RESULT_LINK 700}}{{#if ACKNOWLEDGE_LINK}}%0A%0AAcknowledge: {{truncate ACKNOWLEDGE_LINK 300}}{{/if}}`,
    headers: [header('Content-Type', 'application/x-www-form-urlencoded')],
    queryParameters: ['chat_id'],
  },
  {
    type: 'WEBHOOK_NTFY',
    label: 'ntfy',
    url: 'https://ntfy.sh/…, with your topic at the end',
    // The service counts 4096 bytes; what is longer becomes an attachment.
    template: `${where}{{#if CHECK_ERROR_MESSAGE}}
{{truncate CHECK_ERROR_MESSAGE 800}}{{/if}}${note('\n')}`,
    headers: [
      header('Content-Type', 'text/plain; charset=utf-8'),
      header('Title', '{{truncate ALERT_TITLE 200}}'),
      header('Click', '{{RESULT_LINK}}'),
      header('Actions', '{{#if ACKNOWLEDGE_LINK}}view, Acknowledge, {{ACKNOWLEDGE_LINK}}{{/if}}'),
      header('Priority', byNews({ failure: 'high', degraded: 'default', recovery: 'default' })),
      header('Tags', byNews({ failure: 'rotating_light', degraded: 'warning', recovery: 'white_check_mark' })),
    ],
    queryParameters: [],
  },
  {
    type: 'WEBHOOK_MATTERMOST',
    label: 'Mattermost',
    url: 'https://…/hooks/…',
    template: `{
  "username": "Vedette",
  "attachments": [{
    "fallback": "{{truncate ALERT_TITLE 400}}",
    "color": "${hex}",
    "title": "{{truncate ALERT_TITLE 400}}",
    "title_link": "{{RESULT_LINK}}",
    "text": "{{truncate CHECK_ERROR_MESSAGE 3000}}${note('\\n')}${more}",
    "footer": "${where}"
  }]
}`,
    headers: [],
    queryParameters: [],
  },
  {
    type: 'WEBHOOK_GOOGLE_CHAT',
    label: 'Google Chat',
    url: 'https://chat.googleapis.com/v1/spaces/…/messages?key=…&token=…',
    template: `{"text": "*{{truncate ALERT_TITLE 400}}*\\n{{#if CHECK_ERROR_MESSAGE}}{{truncate CHECK_ERROR_MESSAGE 2000}}\\n{{/if}}{{truncate RESULT_LINK 1000}}${note('\\n')}{{#if ACKNOWLEDGE_LINK}}\\n<{{ACKNOWLEDGE_LINK}}|Acknowledge>{{/if}}"}`,
    headers: [],
    queryParameters: [],
  },
]

export function presetOf(webhookType: string | null | undefined): WebhookPreset | undefined {
  return WEBHOOK_PRESETS.find(({ type }) => type === webhookType)
}
