/**
 * Services that channels talk to, on loopback: they refuse what the published rules of the real ones forbid, and answer
 * as those do.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import Type, { type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { type Received, type Receiver, startReceiver } from './receiver.fixture.ts'

type Respond = ServerResponse<IncomingMessage>

export interface Provider extends Receiver {
  /** What broke the rules, in order. */
  complaints: string[]
  /** The next requests are answered so, whatever they say. */
  failWith(...answers: (Failure | 'silence')[]): void
}

export interface Failure {
  status: number
  headers?: Record<string, string>
  body?: string
}

interface Rules {
  /** Why a request is refused, with the status; null: it is good. */
  objection(request: Received): { status: number; reason: string } | null
  accept(response: Respond): void
  refuse(response: Respond, status: number, reason: string): void
}

async function startProvider(t: TestContext, { objection, accept, refuse }: Rules): Promise<Provider> {
  const complaints: string[] = []
  const failures: (Failure | 'silence')[] = []
  const receiver = await startReceiver(t, (request, response) => {
    const failure = failures.shift()
    if (failure === 'silence') return
    if (failure !== undefined) return response.writeHead(failure.status, failure.headers).end(failure.body ?? '')
    const found = objection(request)
    if (found === null) return accept(response)
    complaints.push(found.reason)
    return refuse(response, found.status, found.reason)
  })
  return { ...receiver, complaints, failWith: (...answers) => failures.push(...answers) }
}

/** Why a value is not what the schema says. */
function wrong(schema: TSchema, value: unknown): string | null {
  const [first] = Value.Errors(schema, value)
  return first === undefined ? null : `${first.instancePath}: ${first.message}`
}

function jsonOf({ body }: Received): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const json = (response: Respond, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const text = (response: Respond, status: number, body: string) =>
  response.writeHead(status, { 'content-type': 'text/html' }).end(body)

const strict = { additionalProperties: false }
const SHORT = { minLength: 1 }

/* Slack: incoming webhooks. */

const SlackMarkdown = (maxLength: number) =>
  Type.Object({ type: Type.Literal('mrkdwn'), text: Type.String({ ...SHORT, maxLength }) }, strict)
const SlackBlock = Type.Union([
  Type.Object(
    {
      type: Type.Literal('header'),
      text: Type.Object(
        {
          type: Type.Literal('plain_text'),
          text: Type.String({ ...SHORT, maxLength: 150 }),
          emoji: Type.Optional(Type.Boolean()),
        },
        strict,
      ),
    },
    strict,
  ),
  Type.Object(
    {
      type: Type.Literal('actions'),
      elements: Type.Array(
        Type.Object(
          {
            type: Type.Literal('button'),
            text: Type.Object(
              { type: Type.Literal('plain_text'), text: Type.String({ ...SHORT, maxLength: 75 }) },
              strict,
            ),
            url: Type.String({ ...SHORT, maxLength: 3000 }),
          },
          strict,
        ),
        { minItems: 1, maxItems: 25 },
      ),
    },
    strict,
  ),
  Type.Object({ type: Type.Literal('section'), text: SlackMarkdown(3000) }, strict),
  Type.Object(
    { type: Type.Literal('section'), fields: Type.Array(SlackMarkdown(2000), { minItems: 1, maxItems: 10 }) },
    strict,
  ),
])
const SlackMessage = Type.Object(
  {
    channel: Type.Optional(Type.String(SHORT)),
    text: Type.String({ ...SHORT, maxLength: 40_000 }),
    blocks: Type.Array(SlackBlock, { minItems: 1, maxItems: 50 }),
    attachments: Type.Array(
      Type.Object(
        {
          color: Type.String({ pattern: '^#[0-9a-f]{6}$' }),
          fallback: Type.String(SHORT),
          blocks: Type.Array(SlackBlock, { minItems: 1, maxItems: 50 }),
        },
        strict,
      ),
      { maxItems: 100 },
    ),
  },
  strict,
)
/** `<` and `>` only around links, `&` only as the beginning of an escape. */
const UNESCAPED = /&(?!amp;|lt;|gt;)|<(?!https?:\/\/[^<>|]+\|[^<>|]+>)/

export const SLACK_PATH = '/services/T0001/B0001/slackCanary0000000000001'
export const startSlack = (t: TestContext) =>
  startProvider(t, {
    objection(request) {
      if (request.method !== 'POST' || request.path !== SLACK_PATH) return { status: 404, reason: 'no_service' }
      if (request.headers['content-type'] !== 'application/json') return { status: 400, reason: 'invalid_payload' }
      const message = jsonOf(request)
      const problem = wrong(SlackMessage, message)
      if (problem !== null) return { status: 400, reason: `invalid_payload ${problem}` }
      const unescaped = textsIn(message).find((one) => UNESCAPED.test(one))
      if (unescaped !== undefined) return { status: 400, reason: `invalid_blocks ${unescaped}` }
      if (Reflect.get(Object(message), 'channel') === '#gone') return { status: 404, reason: 'channel_not_found' }
      return null
    },
    accept: (response) => text(response, 200, 'ok'),
    refuse: (response, status, reason) => text(response, status, reason),
  })

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/* PagerDuty: Events API v2. */

const routingKey = Type.String({ minLength: 32, maxLength: 32 })
const dedupKey = Type.String({ ...SHORT, maxLength: 255 })
const PagerdutyEvent = Type.Union([
  Type.Object(
    {
      routing_key: routingKey,
      event_action: Type.Literal('trigger'),
      dedup_key: Type.Optional(dedupKey),
      client: Type.Optional(Type.String()),
      client_url: Type.Optional(Type.String({ pattern: '^https?://' })),
      links: Type.Optional(
        Type.Array(
          Type.Object({ href: Type.String({ pattern: '^https?://' }), text: Type.Optional(Type.String()) }, strict),
        ),
      ),
      payload: Type.Object(
        {
          summary: Type.String({ ...SHORT, maxLength: 1024 }),
          source: Type.String(SHORT),
          severity: Type.Enum(['critical', 'error', 'warning', 'info']),
          timestamp: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+(Z|[+-]\\d\\d:?\\d\\d)$' })),
          component: Type.Optional(Type.String()),
          group: Type.Optional(Type.String()),
          class: Type.Optional(Type.String()),
          custom_details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        },
        strict,
      ),
    },
    strict,
  ),
  Type.Object({ routing_key: routingKey, event_action: Type.Literal('resolve'), dedup_key: dedupKey }, strict),
])

export const PAGERDUTY_KEY = 'pagerdutyCanary00000000000000001'
export const startPagerduty = (t: TestContext) =>
  startProvider(t, {
    objection(request) {
      if (request.method !== 'POST' || request.path !== '/v2/enqueue') return { status: 404, reason: 'Not Found' }
      const event = jsonOf(request)
      const problem = wrong(PagerdutyEvent, event)
      if (problem !== null) return { status: 400, reason: problem }
      if (request.body.length > 512 * 1024) return { status: 413, reason: 'Payload Too Large' }
      const key = Reflect.get(Object(event), 'routing_key')
      return key === PAGERDUTY_KEY ? null : { status: 400, reason: `Invalid routing key ${key}` }
    },
    accept: (response) => json(response, 202, { status: 'success', message: 'Event processed', dedup_key: 'k' }),
    refuse: (response, status, reason) =>
      json(response, status, { status: 'invalid event', message: 'Event object is invalid', errors: [reason] }),
  })

/* Opsgenie: Alert API. */

const OpsgenieAlert = Type.Object(
  {
    message: Type.String({ ...SHORT, maxLength: 130 }),
    alias: Type.Optional(Type.String({ maxLength: 512 })),
    description: Type.Optional(Type.String({ maxLength: 15_000 })),
    tags: Type.Optional(Type.Array(Type.String({ ...SHORT, maxLength: 50 }), { maxItems: 20 })),
    details: Type.Optional(Type.Record(Type.String(), Type.String())),
    entity: Type.Optional(Type.String({ maxLength: 512 })),
    source: Type.Optional(Type.String({ maxLength: 100 })),
    priority: Type.Optional(Type.Enum(['P1', 'P2', 'P3', 'P4', 'P5'])),
  },
  strict,
)
const OpsgenieClose = Type.Object(
  {
    user: Type.Optional(Type.String({ maxLength: 100 })),
    source: Type.Optional(Type.String({ maxLength: 100 })),
    note: Type.Optional(Type.String({ maxLength: 25_000 })),
  },
  strict,
)

export const OPSGENIE_KEY = 'opsgenie-canary-0000-0001'
export const startOpsgenie = (t: TestContext) =>
  startProvider(t, {
    objection(request) {
      const { authorization = '' } = request.headers
      if (!authorization.startsWith('GenieKey ')) return { status: 401, reason: 'Could not authenticate' }
      if (authorization !== `GenieKey ${OPSGENIE_KEY}`) return { status: 403, reason: `Wrong key: ${authorization}` }
      const closes = /^\/v2\/alerts\/[^/?]{1,512}\/close\?identifierType=alias$/.test(request.path)
      if (request.method !== 'POST' || !(closes || request.path === '/v2/alerts')) {
        return { status: 404, reason: 'Not found' }
      }
      const body = jsonOf(request)
      const problem = wrong(closes ? OpsgenieClose : OpsgenieAlert, body)
      if (problem !== null) return { status: 422, reason: problem }
      const details = Object.entries(Object(Reflect.get(Object(body), 'details')))
      return details.flat().join('').length > 8000 ? { status: 422, reason: 'Details are too long' } : null
    },
    accept: (response) => json(response, 202, { result: 'Request will be processed', took: 0.1, requestId: 'r-1' }),
    refuse: (response, status, reason) => json(response, status, { message: reason, took: 0.1, requestId: 'r-1' }),
  })

/* Twilio: messages and calls of the API of 2010-04-01. */

const PHONE = { pattern: '^\\+[1-9][0-9]{1,14}$' }
const TwilioMessage = Type.Object(
  { To: Type.String(PHONE), From: Type.String(PHONE), Body: Type.String({ ...SHORT, maxLength: 1600 }) },
  strict,
)
const TwilioCall = Type.Object(
  { To: Type.String(PHONE), From: Type.String(PHONE), Twiml: Type.String({ ...SHORT, maxLength: 4000 }) },
  strict,
)
/** One instruction that says something, in well-formed XML. */
const TWIML =
  /^<\?xml version="1\.0" encoding="UTF-8"\?><Response><Say loop="2">([^<>&]|&(amp|lt|gt|quot|#39);)+<\/Say><\/Response>$/u

export const TWILIO = {
  account: 'AC00000000000000000000000000000001',
  token: 'twilioCanary000000000000000001',
  from: '+351210000009',
}
export const startTwilio = (t: TestContext) =>
  startProvider(t, {
    objection(request) {
      const expected = `Basic ${Buffer.from(`${TWILIO.account}:${TWILIO.token}`).toString('base64')}`
      if (request.headers.authorization !== expected) return { status: 401, reason: 'Authenticate' }
      const [, resource] = request.path.match(/^\/2010-04-01\/Accounts\/AC0{31}1\/(Messages|Calls)\.json$/) ?? []
      if (request.method !== 'POST' || resource === undefined) return { status: 404, reason: 'Not found' }
      if (request.headers['content-type'] !== 'application/x-www-form-urlencoded') {
        return { status: 400, reason: 'A form is needed' }
      }
      const form = Object.fromEntries(new URLSearchParams(request.body))
      const problem = wrong(resource === 'Calls' ? TwilioCall : TwilioMessage, form)
      if (problem !== null) return { status: 400, reason: problem }
      if (form.Twiml !== undefined && !TWIML.test(form.Twiml)) return { status: 400, reason: `Invalid: ${form.Twiml}` }
      return null
    },
    accept: (response) => json(response, 201, { sid: 'SM1', status: 'queued', error_code: null }),
    refuse: (response, status, message) =>
      json(response, status, { code: 20_001, message, more_info: 'https://www.twilio.com/docs/errors/20001', status }),
  })

/* What webhooks of chat services take. */

const DiscordMessage = Type.Object(
  {
    username: Type.Optional(Type.String({ ...SHORT, maxLength: 80 })),
    content: Type.Optional(Type.String({ maxLength: 2000 })),
    allowed_mentions: Type.Object({ parse: Type.Array(Type.Enum(['roles', 'users', 'everyone'])) }, strict),
    embeds: Type.Array(
      Type.Object(
        {
          title: Type.String({ ...SHORT, maxLength: 256 }),
          url: Type.String({ pattern: '^https?://' }),
          description: Type.String({ maxLength: 4096 }),
          color: Type.Integer({ minimum: 0, maximum: 0xffffff }),
          timestamp: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT' }),
          footer: Type.Object({ text: Type.String({ ...SHORT, maxLength: 2048 }) }, strict),
        },
        strict,
      ),
      { minItems: 1, maxItems: 10 },
    ),
  },
  strict,
)
const TextBlock = Type.Object(
  {
    type: Type.Literal('TextBlock'),
    text: Type.String(SHORT),
    wrap: Type.Optional(Type.Boolean()),
    isSubtle: Type.Optional(Type.Boolean()),
    size: Type.Optional(Type.Enum(['Default', 'Small', 'Medium', 'Large', 'ExtraLarge'])),
    weight: Type.Optional(Type.Enum(['Default', 'Lighter', 'Bolder'])),
    spacing: Type.Optional(Type.Enum(['None', 'Small', 'Default', 'Medium', 'Large'])),
    color: Type.Optional(Type.Enum(['Default', 'Dark', 'Light', 'Accent', 'Good', 'Warning', 'Attention'])),
  },
  strict,
)
const TeamsMessage = Type.Object(
  {
    type: Type.Literal('message'),
    attachments: Type.Array(
      Type.Object(
        {
          contentType: Type.Literal('application/vnd.microsoft.card.adaptive'),
          contentUrl: Type.Null(),
          content: Type.Object(
            {
              $schema: Type.Literal('http://adaptivecards.io/schemas/adaptive-card.json'),
              type: Type.Literal('AdaptiveCard'),
              version: Type.Enum(['1.0', '1.2', '1.3', '1.4']),
              body: Type.Array(TextBlock, { minItems: 1 }),
              actions: Type.Array(
                Type.Object(
                  {
                    type: Type.Literal('Action.OpenUrl'),
                    title: Type.String(SHORT),
                    url: Type.String({ pattern: '^https?://' }),
                  },
                  strict,
                ),
              ),
            },
            strict,
          ),
        },
        strict,
      ),
      { minItems: 1 },
    ),
  },
  strict,
)
const MattermostMessage = Type.Object(
  {
    username: Type.Optional(Type.String({ maxLength: 64 })),
    text: Type.Optional(Type.String({ maxLength: 16_383 })),
    attachments: Type.Array(
      Type.Object(
        {
          fallback: Type.String(SHORT),
          color: Type.String({ pattern: '^#[0-9a-f]{6}$' }),
          title: Type.String(SHORT),
          title_link: Type.String({ pattern: '^https?://' }),
          text: Type.String({ maxLength: 16_383 }),
          footer: Type.String(),
        },
        strict,
      ),
      { minItems: 1 },
    ),
  },
  strict,
)
const GoogleChatMessage = Type.Object({ text: Type.String({ ...SHORT, maxLength: 4096 }) }, strict)
const TelegramMessage = Type.Object(
  {
    chat_id: Type.String(SHORT),
    text: Type.String({ ...SHORT, maxLength: 4096 }),
    disable_web_page_preview: Type.Optional(Type.Enum(['true', 'false'])),
  },
  strict,
)
const NtfyHeaders = Type.Object({
  title: Type.String({ ...SHORT, maxLength: 1024 }),
  click: Type.String({ pattern: '^https?://' }),
  priority: Type.Enum(['min', 'low', 'default', 'high', 'max']),
  tags: Type.String({ pattern: '^[a-z_]+(,[a-z_]+)*$' }),
})

const bytesOf = ({ body }: Received) => Buffer.byteLength(body)
const isJson = ({ headers }: Received) => headers['content-type'] === 'application/json'
const asJson = (schema: TSchema, most: number) => (request: Received) => {
  if (!isJson(request)) return 'JSON is needed'
  return bytesOf(request) > most ? `${bytesOf(request)} bytes` : wrong(schema, jsonOf(request))
}

/** By `webhookType`: why the service refuses a request. */
const chats: Readonly<Record<string, (request: Received) => string | null>> = {
  WEBHOOK_DISCORD: (request) => {
    const [embed] = Object(jsonOf(request)).embeds ?? []
    const total = textsIn([embed?.title, embed?.description, embed?.footer]).join('').length
    return asJson(DiscordMessage, 1024 * 1024)(request) ?? (total > 6000 ? `${total} characters` : null)
  },
  WEBHOOK_MSTEAMS: asJson(TeamsMessage, 28 * 1024),
  WEBHOOK_MATTERMOST: asJson(MattermostMessage, 1024 * 1024),
  WEBHOOK_GOOGLE_CHAT: asJson(GoogleChatMessage, 32_000),
  WEBHOOK_TELEGRAM(request) {
    if (request.headers['content-type'] !== 'application/x-www-form-urlencoded') return 'A form is needed'
    const { searchParams } = new URL(request.path, 'http://telegram.test')
    return wrong(TelegramMessage, Object.fromEntries([...searchParams, ...new URLSearchParams(request.body)]))
  },
  WEBHOOK_NTFY(request) {
    if (request.body === '' || bytesOf(request) > 4096) return `${bytesOf(request)} bytes`
    return wrong(NtfyHeaders, request.headers)
  },
}

export const startChat = (t: TestContext, webhookType: string) =>
  startProvider(t, {
    objection(request) {
      const judge = chats[webhookType]
      const reason = request.method !== 'POST' || judge === undefined ? 'Not found' : judge(request)
      return reason === null ? null : { status: 400, reason }
    },
    accept: (response) => json(response, 200, {}),
    refuse: (response, status, reason) => json(response, status, { message: reason }),
  })
