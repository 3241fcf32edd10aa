export * from './abilities.ts'
export {
  type AlertDecision,
  type AlertState,
  canBeHeld,
  decideAlert,
  type FirstAlert,
  firstAlert,
  holdAlert,
  isExpected,
  releaseAlert,
} from './alert-decision.ts'
export { type AlertFacts, composeAlert, storable } from './alert-message.ts'
export { type PastRun, type ReplayedAlert, replayAlerts } from './alert-replay.ts'
export { type DecisionFacts, wordsOfDecision, wordsOfWithheld } from './alert-words.ts'
export { type AnyAssertion, type Finders, judgeAssertions, problemOfAssertion } from './assertion.ts'
export {
  type AssetRules,
  assetsToMakeRoom,
  filesToKeep,
  isAssetExpired,
  isLike,
  isSample,
  type KeepingQuestion,
  type KeptAsset,
} from './asset-keeping.ts'
export { type Badge, drawBadge } from './badge.ts'
export { wholeDaysUntil } from './certificate-days.ts'
export { type CertificateForHost, chooseCertificate } from './client-certificate.ts'
export { compareRuns, pairScreenshots } from './compare-runs.ts'
export { isCredential } from './credential.ts'
export { type CronSchedule, nextOccurrence, problemOfSchedule } from './cron.ts'
export { type DeliveryFacts, deliveryNote } from './delivery-note.ts'
export * from './delivery-retry.ts'
export { type DetailQuestion, shouldKeepDetail } from './detail-keeping.ts'
export { composeDigest, type DigestItem } from './digest.ts'
export { type AnsweredBy, describeAnswer } from './dns/answer.ts'
export { CLASS_IN, RECORD_TYPES, recordTypeName } from './dns/codes.ts'
export * from './dns/message.ts'
export { encodeName, isSameName, nameOfQuery, problemOfQuery } from './dns/name.ts'
export { DnsMessageError, type DnsProblem } from './dns/problem.ts'
export * from './egress.ts'
export { atEnvironment, inEnvironment, placeOf } from './environment.ts'
export { cleanErrorMessage } from './error-message.ts'
export { type ChannelWishes, type Passage, withheldBecause } from './gates.ts'
export {
  advanceWatch,
  afterPing,
  afterStart,
  cleanOutput,
  type HeartbeatWatch,
  isLinkPreview,
  judgePing,
  type MissedPing,
  type Outage,
  type Pause,
  periodMs,
  type Rhythm,
  wordsOfFailure,
  wordsOfMissed,
} from './heartbeat.ts'
export { type RhythmSuggestion, suggestRhythm } from './heartbeat-suggestion.ts'
export { type Ancestor, cycleThrough, type Holder, holderOf, isReleased, UNHEARD_MS } from './held.ts'
export { problemOfHost } from './host-name.ts'
export { type IncidentStep, type TroubleSpan, troubleMs, troubleSpan } from './incident-progress.ts'
export { type IncidentTurn, incidentTurn } from './incident-turn.ts'
export { OF_SEVERITY, OF_STATUS } from './incident-words.ts'
export { type Cidr, type IpAddress, isWithin, parseCidr, parseIp } from './ip-address.ts'
export * from './isolation.ts'
export { judgeDns } from './judge-dns.ts'
export { nameOfGrpcStatus } from './judge-grpc.ts'
export { judgeHttp } from './judge-http.ts'
export { judgeSsl, sslFailureCategory } from './judge-ssl.ts'
export { conclude, type Findings, type Judgement } from './judgement.ts'
export { type Judges, judges } from './judges.ts'
export { keySizeBits } from './key-strength.ts'
export * from './maintenance.ts'
export * from './page-address.ts'
export {
  ACCURACY,
  aggregate,
  ExactValues,
  PercentileSketch,
  type Spread,
} from './percentile-sketch.ts'
export {
  COUNT_BOUNDS,
  HISTOGRAM_BOUNDS,
  histogram,
  type Labels,
  type MetricFamily,
  metricsText,
  sample,
  tagLabels,
} from './prometheus-text.ts'
export * from './quarantine.ts'
export { partsOf, quickRange } from './quick-range.ts'
export {
  advanceReminder,
  type Reminder,
  type ReminderFacts,
  type ReminderPlan,
  type ReminderStep,
  remindersAfter,
} from './reminders.ts'
export { mentionsTemplate, renderRequest } from './render-request.ts'
export * from './retry-plan.ts'
export { type Cell, type CellKey, RollUp, type RollUpBytes } from './roll-up.ts'
export { judgeRun, judgeSession, type RunOutcome } from './run-outcome.ts'
export * from './script-files.ts'
export { isLimitOurs, type OwnUse } from './script-limit.ts'
export { MASK, type Scrub, scrubber, scrubTexts } from './scrub.ts'
export { contradictedAfter, type OpinionState, type SecondOpinion, secondOpinion } from './second-opinion.ts'
export {
  isWell,
  knownAt,
  type OwnTrouble,
  ownTroubles,
  patienceWith,
  type SelfLook,
  type SelfWatch,
  watchSelf,
} from './self-watch.ts'
export * from './service-uptime.ts'
export {
  type GroupSettings,
  type OwnSettings,
  type SettingSources,
  type SettingsInForce,
  settingsInForce,
} from './settings-in-force.ts'
export { shorten } from './show.ts'
export * from './slots.ts'
export { includeSnippets, snippetsNamedIn } from './snippets.ts'
export { type BaselineJudgement, judgeBaseline } from './ssl-baseline.ts'
export * from './subscriber-mail.ts'
export { type ReadCommand, readTestCommand } from './suite-command.ts'
export { problemOfTemplate, renderTemplate, type TemplateContext } from './template.ts'
export { type Encoding, encodingOfBody, encodings } from './template-encoding.ts'
export { TemplateError } from './template-error.ts'
export type { TemplateValue, TemplateVariables } from './template-value.ts'
export { coverOf, type Piece, ROLL_UP_MS, type RollUpLevel, type Stored } from './time-cover.ts'
export { type Bucket, type Draw, draw } from './token-bucket.ts'
export { beyondLimits, nextToTry, type TurnLimits, type Waiting } from './whose-turn.ts'
