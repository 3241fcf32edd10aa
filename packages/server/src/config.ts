/** Environment → typed configuration. Nothing else in the server reads the environment. */
import { parseCidr } from '@vedette/core'
import { DATA_CENTERS, type DataCenter, PHONE_NUMBER } from '@vedette/schema'
import type { TwilioSettings } from './alerting/channels/twilio-settings.ts'
import type { BucketSettings } from './assets/s3-store.ts'
import { type MailSettings, readSender, readSmtpUrl } from './mail/mail-settings.ts'
import { parseKey } from './secrets/seal.ts'
import { readStaticIps, type StaticIps } from './static-ips.ts'

const SCRIPT_ISOLATIONS = ['required', 'reduced'] as const
const SCRIPT_ENGINES = ['warm', 'forked'] as const

export interface Config {
  port: number
  host: string
  /** How people and messages reach the web application; without a slash at the end. */
  publicUrl: string
  /** Undefined: the default place, chosen by the embedded engine. */
  dataDir: string | undefined
  /** Undefined: the embedded engine. */
  databaseUrl: string | undefined
  initialApiKey: string | undefined
  initialAccountId: string | undefined
  /** The data-center locations that the built-in runner serves; empty: it is not started. */
  builtInLocations: readonly DataCenter[]
  clientCompat: boolean
  trustedHops: number
  /** Requests a minute for each key and account; 0: no limit. */
  rateLimit: number
  /** Before the rest becomes a digest; 0: no limit. */
  channelMessagesPerMinute: number
  egressAllow: readonly string[]
  egressDeny: readonly string[]
  /** `host:port` each: when none answers, the network of the built-in runner is gone and no target is blamed. */
  controlTargets: readonly string[]
  /** When the name server of the built-in runner knows none of these names, it is the one in trouble. */
  controlNames: readonly string[]
  /** Whether a first failure without an answer is confirmed by another place before it counts. */
  secondOpinions: boolean
  /** Encrypts secrets at rest. Undefined: the key file in the data directory. */
  secretKey: Buffer | undefined
  /** Opens what was encrypted before the key was changed. */
  previousSecretKey: Buffer | undefined
  /** The addresses from which the checks of a location come. */
  staticIps: StaticIps
  /** Null: no mail is sent. */
  mail: MailSettings | null
  retentionDays: number
  /** How long roll-ups of hours and days are kept. */
  aggregateRetentionMonths: number
  /** Where files of runs are kept. Null: below the data directory. */
  assetBucket: BucketSettings | null
  /** All of them together; what is the least worth goes first. */
  assetsMaxBytes: number
  /** How long those of runs that passed are kept. */
  assetsPassedDays: number
  /** Null: no text is sent and nobody is called. */
  phoneGateway: TwilioSettings | null
  /** Without a slash at the end. */
  pagerdutyUrl: string
  /** Undefined: by the region of each channel. */
  opsgenieUrl: string | undefined
  /** Whether a check is made that tells of the monitor itself. */
  selfWatch: boolean
  /** Told every half minute that all is well. Null: nobody. A secret. */
  deadManUrl: string | null
  logLevel: LogLevel
  /** `reduced`: the built-in runner runs scripts even where the machine cannot keep them apart from it. */
  scriptIsolation: (typeof SCRIPT_ISOLATIONS)[number]
  /** How it runs scripts with Playwright. */
  scriptEngine: (typeof SCRIPT_ENGINES)[number]
  /** Scripts with Playwright that the built-in runner runs at the same time; null: as many as it finds fit. */
  scriptConcurrency: number | null
  /** The browser of the built-in runner; null: the one that it finds. */
  chromiumPath: string | null
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** A variable of the environment that cannot be used. The message names it. */
export class ConfigError extends Error {
  constructor(variable: string, reason: string) {
    super(`${variable} ${reason}`)
    this.name = 'ConfigError'
  }
}

type Environment = Readonly<Record<string, string | undefined>>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** With a dot, and no address: those end in digits. */
const HOST_NAME = /^(?:[a-z0-9_-]{1,63}\.)+[a-z][a-z0-9-]{0,62}\.?$/i

/** @throws ConfigError for the first variable that is wrong. */
export function readConfig(env: Environment): Config {
  const port = wholeNumber(env, 'PORT', 3000, 0, 65_535)
  const host = text(env, 'HOST') ?? '127.0.0.1'
  const initialApiKey = text(env, 'INITIAL_API_KEY')
  if (initialApiKey !== undefined && initialApiKey.length < 16) {
    throw new ConfigError('INITIAL_API_KEY', 'must have 16 characters or more.')
  }
  const initialAccountId = text(env, 'INITIAL_ACCOUNT_ID')
  if (initialAccountId !== undefined && !UUID.test(initialAccountId)) {
    throw new ConfigError('INITIAL_ACCOUNT_ID', 'must be a UUID.')
  }
  const retentionDays = wholeNumber(env, 'RETENTION_DAYS', 30, 1, 3650)
  const aggregateRetentionMonths = wholeNumber(env, 'AGGREGATE_RETENTION_MONTHS', 25, 1, 1200)
  // Questions about past windows are answered from roll-ups: without them, results that are still there count for nothing.
  const monthsOfResults = Math.ceil(retentionDays / 31)
  if (aggregateRetentionMonths < monthsOfResults) {
    throw new ConfigError(
      'AGGREGATE_RETENTION_MONTHS',
      `must be ${monthsOfResults} or more, so that roll-ups are kept as long as results are with RETENTION_DAYS=${retentionDays}.`,
    )
  }
  return {
    port,
    host,
    publicUrl: url(env, 'PUBLIC_URL', ['http:', 'https:']) ?? `http://${printableHost(host)}:${port}`,
    dataDir: text(env, 'DATA_DIR'),
    databaseUrl: databaseUrl(env),
    initialApiKey,
    initialAccountId: initialAccountId?.toLowerCase(),
    builtInLocations: locations(env),
    clientCompat: flag(env, 'CLIENT_COMPAT'),
    trustedHops: wholeNumber(env, 'TRUSTED_HOPS', 0, 0, 10),
    rateLimit: wholeNumber(env, 'RATE_LIMIT', 600, 0, 1_000_000),
    channelMessagesPerMinute: wholeNumber(env, 'CHANNEL_MESSAGES_PER_MINUTE', 20, 0, 1_000_000),
    egressAllow: networks(env, 'EGRESS_ALLOW'),
    egressDeny: networks(env, 'EGRESS_DENY'),
    controlTargets: controlTargets(env),
    controlNames: controlNames(env),
    secondOpinions: oneOf(env, 'SECOND_OPINION', ['on', 'off'], 'on') === 'on',
    secretKey: secretKey(env, 'SECRET_KEY'),
    previousSecretKey: secretKey(env, 'SECRET_KEY_PREVIOUS'),
    staticIps: staticIps(env),
    mail: mail(env),
    retentionDays,
    aggregateRetentionMonths,
    assetBucket: assetBucket(env),
    assetsMaxBytes: wholeNumber(env, 'ASSETS_MAX_BYTES', 10 * 1024 ** 3, 0, Number.MAX_SAFE_INTEGER),
    assetsPassedDays: wholeNumber(env, 'ASSETS_PASSED_DAYS', 7, 1, 3650),
    phoneGateway: phoneGateway(env),
    pagerdutyUrl: url(env, 'PAGERDUTY_URL', ['http:', 'https:']) ?? 'https://events.pagerduty.com',
    opsgenieUrl: url(env, 'OPSGENIE_URL', ['http:', 'https:']),
    selfWatch: oneOf(env, 'SELF_WATCH', ['on', 'off'], 'on') === 'on',
    deadManUrl: url(env, 'DEAD_MAN_URL', ['http:', 'https:']) ?? null,
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    scriptIsolation: oneOf(env, 'SCRIPT_ISOLATION', SCRIPT_ISOLATIONS, 'required'),
    scriptEngine: oneOf(env, 'SCRIPT_ENGINE', SCRIPT_ENGINES, 'warm'),
    scriptConcurrency: wholeNumber(env, 'SCRIPT_CONCURRENCY', 0, 0, 1000) || null,
    chromiumPath: text(env, 'CHROMIUM_PATH') ?? null,
  }
}

function text(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === undefined || value === '' ? undefined : value
}

function wholeNumber(env: Environment, name: string, otherwise: number, min: number, max: number): number {
  const value = text(env, name)
  if (value === undefined) return otherwise
  const number = Number(value)
  if (!Number.isInteger(number) || number < min || number > max) {
    throw new ConfigError(name, `must be a whole number from ${min} to ${max}, not "${value}".`)
  }
  return number
}

function flag(env: Environment, name: string): boolean {
  return oneOf(env, name, ['true', 'false'], 'false') === 'true'
}

function oneOf<const T extends string>(env: Environment, name: string, values: readonly T[], otherwise: T): T {
  const value = text(env, name)
  if (value === undefined) return otherwise
  const known = values.find((candidate) => candidate === value.toLowerCase())
  if (known === undefined) throw new ConfigError(name, `must be one of ${values.join(', ')}, not "${value}".`)
  return known
}

function list(env: Environment, name: string): string[] {
  return (text(env, name) ?? '').split(/[\s,]+/).filter((entry) => entry !== '')
}

function networks(env: Environment, name: string): string[] {
  const entries = list(env, name)
  const wrong = entries.find((entry) => parseCidr(entry) === null)
  if (wrong !== undefined) {
    throw new ConfigError(name, `must list networks such as 10.0.0.0/8 or 2001:db8::/32, not "${wrong}".`)
  }
  return entries
}

function controlTargets(env: Environment): string[] {
  const entries = list(env, 'CONTROL_TARGETS')
  const wrong = entries.find((entry) => !(Number(URL.parse(`tcp://${entry}`)?.port) > 0))
  if (wrong !== undefined) {
    throw new ConfigError('CONTROL_TARGETS', `must list targets such as 192.0.2.1:443, not "${wrong}".`)
  }
  return entries
}

function controlNames(env: Environment): string[] {
  const entries = list(env, 'CONTROL_NAMES')
  const wrong = entries.find((entry) => !HOST_NAME.test(entry))
  if (wrong !== undefined)
    throw new ConfigError('CONTROL_NAMES', `must list host names such as example.com, not "${wrong}".`)
  return entries
}

/** Never repeats the value. */
function secretKey(env: Environment, name: string): Buffer | undefined {
  const value = text(env, name)
  if (value === undefined) return undefined
  const key = parseKey(value)
  if (key === null)
    throw new ConfigError(name, 'must be 32 bytes in base64 or hex, as "openssl rand -base64 32" makes.')
  return key
}

function staticIps(env: Environment): StaticIps {
  const ips = readStaticIps(text(env, 'STATIC_IPS') ?? '{}')
  if (typeof ips === 'string') throw new ConfigError('STATIC_IPS', ips)
  return ips
}

/** Never repeats the URL: it holds a password. */
function mail(env: Environment): MailSettings | null {
  const sender = text(env, 'MAIL_FROM')
  const from = sender === undefined ? null : readSender(sender)
  if (typeof from === 'string') throw new ConfigError('MAIL_FROM', from)
  const server = text(env, 'SMTP_URL')
  if (server === undefined) return null
  const smtp = readSmtpUrl(server)
  if (typeof smtp === 'string') throw new ConfigError('SMTP_URL', smtp)
  if (from === null)
    throw new ConfigError('MAIL_FROM', 'must be set beside SMTP_URL: the address that messages come from.')
  return { smtp, from }
}

function url(env: Environment, name: string, protocols: readonly string[]): string | undefined {
  const value = text(env, name)
  if (value === undefined) return undefined
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
    throw new ConfigError(name, `must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}.`)
  }
  return value.replace(/\/+$/, '')
}

/** All of it or nothing. Never repeats the keys. */
function assetBucket(env: Environment): BucketSettings | null {
  const place = url(env, 'ASSETS_URL', ['http:', 'https:'])
  const [accessKey, secretKey] = [text(env, 'ASSETS_ACCESS_KEY'), text(env, 'ASSETS_SECRET_KEY')]
  if (place === undefined) {
    if (accessKey !== undefined || secretKey !== undefined)
      throw new ConfigError(
        'ASSETS_URL',
        'is needed as well: the bucket that ASSETS_ACCESS_KEY and ASSETS_SECRET_KEY open.',
      )
    return null
  }
  const { origin, pathname, username, search, hash } = new URL(place)
  if (username !== '' || search !== '' || hash !== '' || !/^\/[\w.-]+(\/[\w.-]+)*$/.test(pathname)) {
    throw new ConfigError('ASSETS_URL', 'must name a bucket and nothing else, such as https://s3.example.com/bucket.')
  }
  if (accessKey === undefined) throw new ConfigError('ASSETS_ACCESS_KEY', 'must be set beside ASSETS_URL.')
  if (secretKey === undefined) throw new ConfigError('ASSETS_SECRET_KEY', 'must be set beside ASSETS_URL.')
  return { origin, path: pathname, region: text(env, 'ASSETS_REGION') ?? 'us-east-1', accessKey, secretKey }
}

const PHONE_GATEWAY = ['PHONE_GATEWAY_ACCOUNT', 'PHONE_GATEWAY_TOKEN', 'PHONE_GATEWAY_FROM'] as const

/** All of it or nothing. Never repeats the token. */
function phoneGateway(env: Environment): TwilioSettings | null {
  const own = url(env, 'PHONE_GATEWAY_URL', ['http:', 'https:'])
  const [account, token, from] = PHONE_GATEWAY.map((name) => text(env, name))
  if (account === undefined && token === undefined && from === undefined && own === undefined) return null
  const needed = (name: (typeof PHONE_GATEWAY)[number]) =>
    new ConfigError(name, 'is needed as well: a telephone gateway has an account, a token and a number to come from.')
  if (account === undefined) throw needed('PHONE_GATEWAY_ACCOUNT')
  if (token === undefined) throw needed('PHONE_GATEWAY_TOKEN')
  if (from === undefined) throw needed('PHONE_GATEWAY_FROM')
  if (account.includes(':')) throw new ConfigError('PHONE_GATEWAY_ACCOUNT', 'must not hold a colon.')
  if (!new RegExp(PHONE_NUMBER).test(from)) {
    throw new ConfigError('PHONE_GATEWAY_FROM', `must be a number such as +351210000000, not "${from}".`)
  }
  return { url: own ?? 'https://api.twilio.com', account, token, from }
}

/** Never repeats the value: it holds a password. */
function databaseUrl(env: Environment): string | undefined {
  const value = text(env, 'DATABASE_URL')
  if (value !== undefined && !/^postgres(ql)?:\/\//.test(value)) {
    throw new ConfigError('DATABASE_URL', 'must begin with postgres:// or postgresql://.')
  }
  return value
}

function locations(env: Environment): readonly DataCenter[] {
  const names = list(env, 'LOCATIONS')
  if (names.length === 0) return DATA_CENTERS
  if (names.length === 1 && names[0] === 'none') return []
  return names.map((name) => {
    const known = DATA_CENTERS.find((region) => region === name)
    if (known === undefined) {
      throw new ConfigError('LOCATIONS', `names "${name}", which is no location. Known: ${DATA_CENTERS.join(', ')}.`)
    }
    return known
  })
}

function printableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
