/** Builds the parts, starts them, and stops them in reverse order. */
import { join } from 'node:path'
import type { RunnerRuntime } from '@vedette/schema'
import type { FastifyInstance } from 'fastify'
import { acknowledgeLinks } from './alerting/acknowledge-link.ts'
import { channelSettings } from './alerting/channel-settings.ts'
import { startDelivery } from './alerting/deliver.ts'
import { enqueueAlerts } from './alerting/outbox.ts'
import type { AssetStore } from './assets/asset-store.ts'
import { diskStore } from './assets/disk-store.ts'
import { s3Store } from './assets/s3-store.ts'
import { type SweepParts, sweepAssets, sweepOrphans } from './assets/sweep.ts'
import { makeBuiltInKey } from './auth/built-in-key.ts'
import { prepareInstallation, renewSetUpToken } from './auth/first-start.ts'
import { sweepBundles } from './bundles/sweep.ts'
import type { Config } from './config.ts'
import { dataDirOf } from './database-place.ts'
import { type Clock, startDatabaseClock } from './db/clock.ts'
import { type Connection, type Db, openDatabase } from './db/database.ts'
import { startEmbeddedPostgres } from './db/embedded/embedded-postgres.ts'
import { migrate } from './db/migrate.ts'
import { dropOldPartitions, makePartitions } from './db/partitions.ts'
import { notify, startSignals } from './db/signals.ts'
import { forgetOldInvitations } from './http/access/members-store.ts'
import { createApp } from './http/app.ts'
import { selfCheckMaker } from './http/checks/self-check.ts'
import { forgetOldRequests } from './http/idempotency/store.ts'
import { startPeriodicWork, type Task } from './jobs/periodic.ts'
import { linksFrom } from './links.ts'
import type { Log } from './log.ts'
import { createMailer } from './mail/mailer.ts'
import { watchHeartbeats } from './recording/heartbeats.ts'
import { type RecordingParts, recordGivenUp } from './recording/record-reports.ts'
import { releaseHeld } from './recording/release-held.ts'
import { sendReminders } from './recording/reminders.ts'
import { Coverage } from './results/coverage.ts'
import { rollUpResults } from './results/roll-up.ts'
import { postgresResults } from './results/store.ts'
import { startBuiltInRunner } from './scheduling/built-in-runner.ts'
import { removeExpiredDryRuns } from './scheduling/dry-run-store.ts'
import { startInspections } from './scheduling/inspections.ts'
import { type GivenUpRun, moveOnLateRuns, NOT_RUNNING } from './scheduling/late-runs.ts'
import { endLateSessions } from './scheduling/late-sessions.ts'
import { type FreedRun, freeLostLeases } from './scheduling/lease-store.ts'
import { sampleLocations } from './scheduling/location-samples-store.ts'
import { LOST_AFTER_MS, locationViews } from './scheduling/location-view.ts'
import { restoreLostLanes } from './scheduling/lost-lanes.ts'
import { followMaintenance } from './scheduling/maintenance.ts'
import { buryBuiltInRunners, forgetOldRunners } from './scheduling/runner-store.ts'
import { openSecrets } from './secrets/open-secrets.ts'
import { LOOK_EVERY_MS, lookAtSelf } from './self-watch/self-watch.ts'
import { noSubscribers, subscribersByMail } from './subscribers/enqueue.ts'
import { startSending } from './subscribers/send.ts'
import { dropOldNews, forgetUnanswered } from './subscribers/store.ts'

export interface RunningServer {
  /** Where it listens. */
  url: string
  /** Where the data is; a word about it when it is elsewhere. */
  data: string
  /** For the first person, while there is none. */
  setUpLink: string | null
  runnerPid(): number | undefined
  stop(): Promise<void>
}

/** The runner's main file in this tree; null: no built-in runner. */
export interface StartOptions {
  runnerMain: string | null
  /** Installed beside it. */
  runtimes?: readonly RunnerRuntime[]
}

/** @throws Error in one sentence when the port is taken, the data directory is in use or the database is not there. */
export async function startServer(
  config: Config,
  log: Log,
  { runnerMain, runtimes = [] }: StartOptions,
): Promise<RunningServer> {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) {
      await end().catch((error: unknown) => log.error('A part did not stop cleanly', { error }))
    }
  }
  try {
    const where = await findDatabase(config, log)
    stops.push(where.stop)
    const database = openDatabase(where.connection, (error) => log.debug('A database connection was cut', { error }))
    stops.push(() => database.close())
    const { db } = database
    const { secrets, settle: settleSecrets } = await openSecrets(db, config, log)
    const applied = await migrate(database.pool)
    if (applied.length > 0) log.info('The database was brought up to date', { applied })
    await settleSecrets()
    await makePartitions(db, Date.now())
    await prepareInstallation(db, { apiKey: config.initialApiKey, accountId: config.initialAccountId })

    // An engine of our own serves one server only: the runners of the one before have died with it.
    if (where.isOwn) await buryBuiltInRunners(db, null)

    const signals = await startSignals(database, log)
    stops.push(() => signals.stop())
    const locations = locationViews(db, config.builtInLocations)
    const links = linksFrom(config.publicUrl)
    const egress = { allow: config.egressAllow, deny: config.egressDeny }
    const mailer = config.mail === null ? null : createMailer(config.mail, log)
    stops.push(async () => mailer?.close())
    const delivery = startDelivery({
      ...{ db, secrets, log, egress, mailer },
      channels: channelSettings(config),
      messagesPerMinute: config.channelMessagesPerMinute,
      alertsPage: links.alerts,
      acknowledgeLink: acknowledgeLinks(secrets, links.acknowledge, Date.now),
    })
    stops.push(() => delivery.stop())
    signals.on('notifications', () => delivery.wake())
    const subscribers = mailer === null ? noSubscribers(log) : subscribersByMail()
    if (mailer !== null) {
      const sending = startSending({ db, secrets, mailer, publicUrl: config.publicUrl, log })
      stops.push(() => sending.stop())
      signals.on('mails', () => sending.wake())
    }
    const coverage = new Coverage()
    const clock = await startDatabaseClock(db)
    stops.push(async () => clock.stop())
    const recording = {
      clock,
      db,
      results: postgresResults,
      locations,
      coverage,
      secondOpinions: config.secondOpinions,
      secrets,
      log,
      subscribers,
      enqueueAlerts: async (
        tx: typeof db,
        alerts: Parameters<typeof enqueueAlerts>[1],
        undue?: Parameters<typeof enqueueAlerts>[3],
      ) => {
        const waiting = await enqueueAlerts(tx, alerts, links.alert, undue)
        if (waiting > 0) await notify(tx, 'notifications')
      },
    }
    const onGivenUp = (tx: Db, runs: readonly GivenUpRun[]) => recordGivenUp(tx, recording, runs)
    const keepMaintenance = maintenanceKeeper(db, clock, log)
    // Before any runner is there: what was missed while we were away is counted, not made up for all at once.
    await moveOnLateRuns({ db, view: await locations(), onGivenUp }, clock.nowMs(), NOT_RUNNING)
    const assets = assetStoreOf(config)
    const app = await createApp({
      config,
      db,
      signals,
      locations,
      recording,
      assets,
      links,
      secrets,
      mailer,
      ownRuntimes: runtimes,
      log,
    })
    await keepMaintenance()
    const url = await listen(app, config)
    stops.push(() => app.close())

    const sweeping = { db, assets, rules: assetRules(config) }
    const inspecting = { db, secrets, locations, log }
    const tasks: Task[] = [
      { name: 'partitions', everyMs: 3_600_000, run: () => makePartitions(db, Date.now()) },
      {
        name: 'retention',
        everyMs: 3_600_000,
        run: async () => {
          const dropped = await dropOldPartitions(db, Date.now(), config.retentionDays, config.aggregateRetentionMonths)
          if (dropped.length > 0) log.info('Old results were dropped', { partitions: dropped })
        },
      },
      {
        name: 'lost-runners',
        everyMs: 2000,
        run: async () => {
          const freed = await freeLostLeases(db, LOST_AFTER_MS)
          if (freed.length === 0) return
          log.warn('Runs of a lost runner were taken back', { runs: freed.length })
          await tellOfRuns(db, freed)
        },
      },
      {
        name: 'late-runs',
        everyMs: 2000,
        run: async () => {
          const { missed } = await moveOnLateRuns({ db, view: await locations(), onGivenUp }, clock.nowMs())
          const slots = missed.reduce((sum, run) => sum + run.slots, 0)
          if (slots > 0)
            log.warn('Slots were missed', { slots, checks: new Set(missed.map((run) => run.checkNo)).size })
        },
      },
      { name: 'held-alerts', everyMs: 2000, run: async () => void (await releaseHeld(recording)) },
      { name: 'reminders', everyMs: 2000, run: async () => void (await sendReminders(recording)) },
      { name: 'maintenance', everyMs: 3000, run: keepMaintenance },
      { name: 'location-samples', everyMs: 60_000, run: () => sampleLocations(db) },
      { name: 'late-sessions', everyMs: 5000, run: () => endLateSessions(db) },
      { name: 'inspections', everyMs: 2000, run: async () => void (await startInspections(inspecting)) },
      { name: 'old-dry-runs', everyMs: 60_000, run: () => removeExpiredDryRuns(db) },
      { name: 'unused-bundles', everyMs: 3_600_000, run: async () => void (await sweepBundles(db, assets)) },
      { name: 'old-requests', everyMs: 600_000, run: () => forgetOldRequests(db) },
      { name: 'unanswered-subscriptions', everyMs: 600_000, run: () => forgetUnanswered(db) },
      {
        name: 'old-news',
        everyMs: 600_000,
        run: async () => {
          const dropped = await dropOldNews(db)
          if (dropped.mails + dropped.updates > 0)
            log.warn('News could not be sent to subscribers of status pages for a day and were dropped', dropped)
        },
      },
      { name: 'old-invitations', everyMs: 3_600_000, run: () => forgetOldInvitations(db) },
      {
        name: 'lost-lanes',
        everyMs: 60_000,
        run: async () => {
          const restored = await restoreLostLanes(db, clock.nowMs())
          if (restored.length > 0)
            log.error('Checks had no place in the schedule and were given one', {
              checks: restored.length,
              some: restored.slice(0, 20),
            })
        },
      },
      { name: 'assets', everyMs: 600_000, run: () => sweep(sweeping, clock, log) },
      { name: 'old-runners', everyMs: 3_600_000, run: () => forgetOldRunners(db) },
    ]
    const watch = heartbeatWatch(recording, log)
    await watch({ starting: true })
    const periodic = startPeriodicWork(db, tasks, log)
    stops.push(() => periodic.stop())
    // Apart from the others: when it last looked tells whether somebody was there to take pings.
    const watching = startPeriodicWork(
      db,
      [{ name: 'heartbeats', everyMs: 1000, run: () => watch({ starting: false }) }],
      log,
    )
    stops.push(() => watching.stop())
    // Apart from the others, which are quick and must not wait for it.
    const rollingUp = startPeriodicWork(
      db,
      [{ name: 'roll-ups', everyMs: 20_000, run: async () => void (await rollUpResults(db, clock.nowMs())) }],
      log,
    )
    stops.push(() => rollingUp.stop())
    // Apart from the others, of which it tells when they stand still.
    const self = {
      recording,
      makeCheck: config.selfWatch ? selfCheckMaker({ clock, secrets }) : null,
      deadManUrl: config.deadManUrl,
      log,
    }
    const watchingSelf = startPeriodicWork(
      db,
      [{ name: 'self-watch', everyMs: LOOK_EVERY_MS, run: () => lookAtSelf(self) }],
      log,
    )
    stops.push(() => watchingSelf.stop())
    // Each server itself: a disk is its own.
    const lookForOrphans = setInterval(() => {
      sweepOrphans(sweeping, Date.now(), log).catch((error: unknown) =>
        log.warn('Files of runs that nothing points to could not be looked for', { error }),
      )
    }, ORPHANS_EVERY_MS)
    stops.push(async () => clearInterval(lookForOrphans))
    const flushing = setInterval(
      () => coverage.flush(db).catch((error: unknown) => log.debug('Coverage waits', { error })),
      3000,
    )
    stops.push(async () => {
      clearInterval(flushing)
      await coverage.flush(db)
    })

    let runnerPid: RunningServer['runnerPid'] = () => undefined
    if (runnerMain !== null && config.builtInLocations.length > 0) {
      const key = await makeBuiltInKey(db)
      const runner = startBuiltInRunner({
        mainFile: runnerMain,
        serverUrl: loopback(url),
        key: key.raw,
        name: 'built-in',
        egressAllow: config.egressAllow,
        egressDeny: config.egressDeny,
        controlTargets: config.controlTargets,
        controlNames: config.controlNames,
        logLevel: config.logLevel,
        scriptIsolation: config.scriptIsolation,
        scriptEngine: config.scriptEngine,
        scriptConcurrency: config.scriptConcurrency,
        chromiumPath: config.chromiumPath,
        log,
        onLost: async () => tellOfRuns(db, await buryBuiltInRunners(db, key.id)),
      })
      stops.push(() => runner.stop())
      runnerPid = runner.pid
    }
    const token = await renewSetUpToken(db)
    const setUpLink = token === null ? null : `${publicAddress(config, url)}/set-up?token=${token}`
    return { url, data: where.description, setUpLink, runnerPid, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Follows maintenance windows and says when checks pause and go on. */
function maintenanceKeeper(db: Db, clock: Clock, log: Log): () => Promise<void> {
  let told = 0
  return async () => {
    const { paused, resumed } = await followMaintenance(db, clock.nowMs())
    if (resumed.checks > 0) log.info('Maintenance is over', { checks: resumed.checks, skippedSlots: resumed.slots })
    if (paused > 0 && paused !== told) log.info('Scheduled runs are paused for maintenance', { checks: paused })
    told = paused
  }
}

/** Notices missing pings and says when time passed in which nobody could have taken one. */
function heartbeatWatch(recording: RecordingParts, log: Log): (when: { starting: boolean }) => Promise<void> {
  return async (when) => {
    const { outage, missed } = await watchHeartbeats(recording, when)
    if (outage !== null) {
      const seconds = Math.round((outage.untilMs - outage.fromMs) / 1000)
      log.warn('Nobody was there to take pings; what fell due then is not held against the jobs', { seconds })
    }
    if (missed > 0) log.debug('Pings were missed', { missed })
  }
}

const DAY_MS = 86_400_000
const ORPHANS_EVERY_MS = DAY_MS / 4

function assetStoreOf(config: Config): AssetStore {
  return config.assetBucket === null ? diskStore(join(dataDirOf(config), 'assets')) : s3Store(config.assetBucket)
}

function assetRules({ assetsPassedDays, retentionDays, assetsMaxBytes }: Config): SweepParts['rules'] {
  return {
    passedForMs: assetsPassedDays * DAY_MS,
    othersForMs: retentionDays * DAY_MS,
    maxBytes: assetsMaxBytes,
  }
}

async function sweep(parts: SweepParts, clock: Clock, log: Log): Promise<void> {
  const { crowdedOut } = await sweepAssets(parts, clock.nowMs())
  if (crowdedOut > 0) log.warn('Files of runs were deleted before their time, for want of room', { files: crowdedOut })
}

async function findDatabase(
  config: Config,
  log: Log,
): Promise<{ connection: Connection; isOwn: boolean; description: string; stop: () => Promise<void> }> {
  if (config.databaseUrl !== undefined) {
    return {
      connection: config.databaseUrl,
      isOwn: false,
      description: 'in the database that DATABASE_URL names',
      stop: async () => {},
    }
  }
  const dataDir = dataDirOf(config)
  const engine = await startEmbeddedPostgres({ dataDir, log: (line) => log.info(line) })
  return { connection: engine.connection, isOwn: true, description: dataDir, stop: () => engine.stop() }
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') {
      throw new Error(`Port ${port} on ${host} is in use by another program. Choose another one with PORT.`, {
        cause: error,
      })
    }
    if (code === 'EACCES')
      throw new Error(`This user may not listen on port ${port}. Choose one above 1023 with PORT.`, { cause: error })
    throw error
  }
}

async function tellOfRuns(db: Db, runs: readonly FreedRun[]): Promise<void> {
  if (runs.length > 0) await notify(db, 'runs', [...new Set(runs.map((run) => run.locationNo))].join(','))
}

/** The address at which the built-in runner finds us. */
function loopback(url: string): string {
  const address = new URL(url)
  if (address.hostname === '0.0.0.0') address.hostname = '127.0.0.1'
  if (address.hostname === '[::]') address.hostname = '[::1]'
  return address.origin
}

/** With PORT=0 only the listening socket knows the port. */
function publicAddress(config: Config, url: string): string {
  return config.port === 0 ? url : config.publicUrl
}
