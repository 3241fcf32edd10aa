/** The HTTP server: everything that is answered is put together here. */
import { gunzipSync } from 'node:zlib'
import fastifyCookie from '@fastify/cookie'
import type { Route, RunnerRuntime } from '@vedette/schema'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { channelSettings } from '../alerting/channel-settings.ts'
import { AppError } from '../app-error.ts'
import { assetLinks } from '../assets/asset-links.ts'
import type { AssetStore } from '../assets/asset-store.ts'
import { lockedReads } from '../audit/locked-reads.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/database.ts'
import type { Signals } from '../db/signals.ts'
import type { Links } from '../links.ts'
import type { Log } from '../log.ts'
import type { Mailer } from '../mail/mailer.ts'
import { publicDashboards } from '../pages/dashboard/public-dashboards.ts'
import { statusPages } from '../pages/status/public-pages.ts'
import type { RecordingParts } from '../recording/record-reports.ts'
import type { LocationView } from '../scheduling/location-view.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { serveAccess } from './access/routes.ts'
import { serveAcknowledgePage } from './acknowledgements/page.ts'
import { serveAcknowledgements } from './acknowledgements/routes.ts'
import { serveAlertChannels } from './alert-channels/routes.ts'
import { serveAlerts } from './alerts/routes.ts'
import { serveAnalytics } from './analytics/routes.ts'
import { serveAssets } from './assets/routes.ts'
import { serveAuditLog } from './audit-log/routes.ts'
import { serveBadges } from './badges/routes.ts'
import { CallsInHand } from './calls-in-hand.ts'
import { serveCatalogues } from './catalogues/routes.ts'
import { Changes } from './changes.ts'
import { serveCheckGroups } from './check-groups/routes.ts'
import { serveCheckResults } from './check-results/routes.ts'
import { serveCheckSessions } from './check-sessions/routes.ts'
import { serveCheckStatuses } from './check-statuses/routes.ts'
import { serveEvents } from './checks/events.ts'
import { serveChecks } from './checks/routes.ts'
import { serveClientCertificates } from './client-certificates/routes.ts'
import { compressAnswers } from './compress.ts'
import { answerConditionally } from './conditional.ts'
import { serveDashboardIncidents } from './dashboard-incidents/routes.ts'
import { serveDashboards } from './dashboards/routes.ts'
import { databaseAccess } from './database-access.ts'
import { serveDocs } from './docs.ts'
import { serveDryRuns } from './dry-runs/routes.ts'
import { serveErrorGroups } from './error-groups/routes.ts'
import { answerError, problem } from './errors.ts'
import { serveHeartbeats } from './heartbeats/routes.ts'
import { idempotencyOn } from './idempotency/idempotency.ts'
import { problemOfJson } from './json-text.ts'
import { serveLocations } from './locations/routes.ts'
import { serveMaintenanceWindows } from './maintenance-windows/routes.ts'
import { serveMetricsExport } from './metrics-export/routes.ts'
import { describeApi } from './openapi.ts'
import { serveOperations } from './operations/routes.ts'
import { servePlaywrightBundles } from './playwright-bundles/routes.ts'
import { servePublicPages } from './public-pages/routes.ts'
import { RateLimits } from './rate-limits.ts'
import { serveRunner } from './runner/routes.ts'
import { serveOn } from './serve.ts'
import { serveSnippets } from './snippets/routes.ts'
import { serveStatusPageIncidents } from './status-page-incidents/routes.ts'
import { serveStatusPageServices } from './status-page-services/routes.ts'
import { serveStatusPages } from './status-pages/routes.ts'
import { serveTraceViewer } from './trace-viewer.ts'
import { serveTriggers } from './triggers/routes.ts'
import { serveVariables } from './variables/routes.ts'
import { serveWebFiles } from './web-files.ts'

const BODY_LIMIT = 1024 * 1024
/** Of what a job sends along with its ping. */
const PING_TEXT_BYTES = 10 * 1024
/** Time for the headers, and for the whole request. Answers may take longer: runners and sessions wait. */
const HEADERS_MS = 10_000
const REQUEST_MS = 30_000
const KEEP_ALIVE_MS = 5000
/** For the answers that are being made when the server is told to stop. */
const STOP_PATIENCE_MS = 5000

export interface AppParts {
  config: Config
  db: Db
  signals: Signals
  locations: () => Promise<LocationView>
  recording: RecordingParts
  /** Files that runs left, and bundles of suites. */
  assets: AssetStore
  links: Links
  secrets: Secrets
  /** Null without a mail server. */
  mailer: Mailer | null
  /** Installed beside this server. */
  ownRuntimes: readonly RunnerRuntime[]
  log: Log
}

export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const { config, db, signals, locations, recording, links, secrets, ownRuntimes, log } = parts
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: 1000, maxHeaderSize: 16 * 1024 },
    trustProxy: (_address, hop) => hop < config.trustedHops,
    forceCloseConnections: true,
    // What is wrong with the path itself does not reach the error handler.
    frameworkErrors: (_error: unknown, _request: unknown, reply: FastifyReply) =>
      reply.code(400).send(problem(400, 'The path cannot be read.')),
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
  })
  await app.register(fastifyCookie)
  readJson(app)
  app.setErrorHandler<FastifyError | AppError>(answerError(log))
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff')
    reply.header('referrer-policy', 'no-referrer')
    reply.header('cross-origin-opener-policy', 'same-origin')
  })
  answerConditionally(app)
  compressAnswers(app)

  const served: Route[] = []
  const changes = new Changes(signals)
  const access = databaseAccess(db, config.clientCompat, changes)
  const limits = new RateLimits(config.rateLimit)
  const inHand = new CallsInHand()
  app.addHook('preClose', () => inHand.stop(STOP_PATIENCE_MS))
  const edge = { access, limits, idempotency: idempotencyOn(db, log), noteReading: lockedReads(db), changes, inHand }
  const serve = serveOn(app, edge, served)
  serveOperations(serve, db, config.deadManUrl !== null)
  serveAccess(serve, db, config.publicUrl, limits)
  serveAuditLog(serve, db)
  const configuring = { clock: recording.clock, secrets, links }
  serveChecks(serve, db, configuring, locations)
  serveDryRuns(serve, { db, signals, secrets, locations, log })
  serveEvents(app, access, db)
  serveCheckGroups(serve, db, configuring)
  const fileLinks = assetLinks(secrets, config.publicUrl, () => recording.clock.nowMs())
  const { results, clock } = recording
  serveCheckResults(serve, { db, results, locations, fileLinks })
  serveAssets(serve, { db, assets: parts.assets, results, links: fileLinks, secrets, clock, access, locations })
  const sessions = { db, signals, locations, links, clock: recording.clock }
  serveCheckSessions(serve, sessions)
  serveTriggers(serve, sessions, recording.results)
  serveHeartbeats(serve, recording)
  serveCheckStatuses(serve, db, locations)
  serveErrorGroups(serve, db)
  serveAlertChannels(serve, {
    db,
    secrets,
    mailer: parts.mailer,
    channels: channelSettings(config),
    egress: { allow: config.egressAllow, deny: config.egressDeny },
    alertsPage: links.alerts,
  })
  serveAlerts(serve, db, recording.results)
  serveAcknowledgements(serve, db, recording.clock)
  serveLocations(serve, db, secrets, locations)
  serveDashboards(serve, db)
  serveDashboardIncidents(serve, db)
  serveStatusPages(serve, db, recording)
  serveStatusPageServices(serve, db)
  serveStatusPageIncidents(serve, db, recording)
  serveVariables(serve, db, secrets)
  serveSnippets(serve, db)
  serveClientCertificates(serve, db, secrets)
  serveMaintenanceWindows(serve, db)
  serveCatalogues(serve, config.staticIps, locations, ownRuntimes)
  serveAnalytics(serve, db, locations, config.retentionDays)
  serveMetricsExport(serve, db, locations, config.retentionDays)
  serveBadges(serve, db, config.retentionDays)
  servePlaywrightBundles(serve, db, parts.assets)
  serveRunner(serve, { db, signals, locations, secrets, log }, recording, parts.assets)

  serveAcknowledgePage(app, { db, secrets, clock: recording.clock, limits, inHand })
  const pages = statusPages(db, () => recording.clock.nowMs(), log)
  const dashboards = publicDashboards(db, {
    nowMs: () => recording.clock.nowMs(),
    retentionDays: config.retentionDays,
    log,
  })
  const answerUnknown = await servePublicPages(app, {
    ...{ db, pages, dashboards, limits, links, inHand, clock: recording.clock, subscribers: recording.subscribers },
    publicUrl: config.publicUrl,
    takesSubscribers: parts.mailer !== null,
  })

  await serveDocs(app, () => describeApi(served, config.publicUrl))
  await serveTraceViewer(app)
  const answerPage = await serveWebFiles(app)
  app.setNotFoundHandler(async (request, reply) => {
    const wantsPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
    const isOurs =
      /^\/(v\d|runner|web|openapi|health|assets|trace|ping|heartbeats|accounts\/[\w-]+\/v\d)\b|\/trigger\//.test(
        request.url,
      )
    // A page on a domain of its own is all there is on it.
    if (!isOurs && (await answerUnknown(request, reply))) return reply
    if (wantsPage && !isOurs) return answerPage(reply)
    return reply.code(404).send(problem(404, 'Not Found'))
  })
  return app
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False where a body means nothing. */
    takesBody?: boolean
    /** True where any text may come along. */
    takesText?: boolean
    /** True where the body is read by the handler, as it comes. */
    takesBytes?: boolean
  }
}

/** JSON only; gzip is understood; an empty body is no body; keys that reach into prototypes are refused. */
function readJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (takesText(request)) return done(null, textOf(request, [Buffer.from(body)]))
    if (!takesBody(request)) return done(null, undefined)
    const limit = request.routeOptions.bodyLimit ?? BODY_LIMIT
    const coding = request.headers['content-encoding'] ?? 'identity'
    if (coding !== 'gzip' && coding !== 'identity') {
      return done(Object.assign(new Error(`Unsupported Content-Encoding: ${coding}`), { statusCode: 415 }))
    }
    let text: string
    try {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body
      text = (coding === 'gzip' ? gunzipSync(bytes, { maxOutputLength: limit }) : bytes).toString()
    } catch (error) {
      const tooLarge = error instanceof RangeError
      done(
        Object.assign(new Error(tooLarge ? 'The body is too large.' : 'The body is not valid gzip.'), {
          statusCode: tooLarge ? 413 : 400,
        }),
      )
      return
    }
    if (text.trim() === '') return done(null, undefined)
    const problem = problemOfJson(text)
    if (problem !== null) return done(new AppError('invalid', problem, { source: 'payload', keys: [] }))
    parse(request, text, done)
  })
  // Jobs ping with whatever their tool sends along.
  app.addContentTypeParser('*', (request, payload, done) => {
    if (request.routeOptions.config.takesBytes === true) return done(null, payload)
    if (takesBody(request)) return done(Object.assign(new Error('The body must be JSON.'), { statusCode: 415 }))
    if (!takesText(request)) {
      payload.resume()
      return done(null, undefined)
    }
    // Read to its end, whatever its length: a ping is not refused for what its job prints.
    const chunks: Buffer[] = []
    let kept = 0
    payload.on('data', (chunk: Buffer) => {
      if (kept < PING_TEXT_BYTES) chunks.push(chunk)
      kept += chunk.length
    })
    payload.on('error', done)
    payload.on('end', () => done(null, textOf(request, chunks)))
  })
}

function takesText(request: FastifyRequest): boolean {
  return request.routeOptions.config.takesText === true
}

/** What is compressed is no text. */
function textOf(request: FastifyRequest, chunks: readonly Buffer[]): string | undefined {
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') return undefined
  return Buffer.concat(chunks).subarray(0, PING_TEXT_BYTES).toString()
}

function takesBody(request: FastifyRequest): boolean {
  return request.routeOptions.config.takesBody !== false
}
