/** Decisions about alerts in words: why people were told, or were not. */
import type { DecisionInputs, DecisionRule, TargetState, WithheldReason } from '@vedette/schema'

export interface DecisionFacts {
  rule: DecisionRule
  from: TargetState | null
  to: TargetState | null
  inputs: DecisionInputs
  due: boolean
  muted: boolean
  /** Of every subscription; empty where the decision was not due. */
  channels: readonly { because: WithheldReason | null }[]
}

const ENDLESS = 100_000

export function wordsOfDecision(facts: DecisionFacts): string {
  return `${leadOf(facts)}: ${whyOf[facts.rule](facts)}.`
}

const withheldWords: { [R in WithheldReason]: string } = {
  'nothing-to-tell': 'there was nothing to tell',
  'check-muted': 'the check was muted',
  'subscription-off': 'its subscription to the check is switched off',
  'failures-not-wanted': 'it does not want failures',
  'degradations-not-wanted': 'it does not want degradations',
  'recoveries-not-wanted': 'it does not want recoveries',
  'certificates-not-wanted': 'it does not want certificates that expire',
  'certificate-not-near-expiry': 'the certificate was valid for longer than its threshold',
  'over-limit': 'the channel had more messages in a minute than it takes',
}

/** @param because null: the channel was told */
export function wordsOfWithheld(because: WithheldReason | null): string {
  if (because === null) return 'Told'
  return `${isTold(because) ? 'Told in a digest' : 'Not told'}: ${withheldWords[because]}`
}

/** What a channel has too much of, it gets in a digest. */
const isTold = (because: WithheldReason | null) => because === null || because === 'over-limit'

function leadOf({ due, muted, channels }: DecisionFacts): string {
  if (!due) return 'Not told'
  if (muted) return 'Not told because the check was muted, although due'
  const told = channels.filter(({ because }) => isTold(because)).length
  if (channels.length === 0) return 'Due, but no channel is subscribed'
  if (told === 0) return 'Due, but no subscribed channel takes it'
  return told === channels.length ? 'Told' : `Told on ${told} of ${channels.length} channels`
}

const whyOf: { [R in DecisionRule]: (facts: DecisionFacts) => string } = {
  'all-is-well': () => 'all was well',
  'threshold-reached': (facts) => `${progressOf(facts)} that the threshold asks for`,
  'threshold-not-reached': (facts) => `${progressOf(facts)} that the threshold asks for`,
  'told-before': ({ to }) => `it is still ${to}, which was decided upon before`,
  'state-changed': ({ from, to }) => `it went from ${from} to ${to}, which no threshold holds back`,
  recovered: ({ from }) => `it is no longer ${from}`,
  'nothing-was-told': ({ from }) => `it is no longer ${from}, and of that nobody was to be told`,
  'too-few-locations-failed': ({ inputs: { locations } }) =>
    `${locations?.failed ?? 0} of ${locations?.total ?? 0} locations failed, fewer than the settings ask for`,
  'no-longer-held': ({ to }) => `it is still ${to}, and nothing that it depends on holds it back any more`,
  'recovered-while-held': ({ from }) => `it is no longer ${from}, which was held because of a check that it depends on`,
  'parent-failing': (facts) =>
    `${nameOfParent(facts)}, which it depends on, ${facts.inputs.parent?.isBeingTried ? 'is being tried once more after a failure' : 'fails'}${ofReminder(facts)}`,
  acknowledged: (facts) => `${facts.inputs.acknowledgedBy ?? 'somebody'} has acknowledged it${ofReminder(facts)}`,
  'in-error': () => 'the run was in error, which is trouble of our own and says nothing about the target',
  'in-error-leaves-open': ({ inputs: { locations } }) =>
    `${locations?.failed ?? 0} of ${locations?.total ?? 0} locations failed and ${locations?.inError ?? 0} were in error, which leaves open whether enough failed`,
  'old-news': () => 'the check had been judged by a run that ended later',
  'in-maintenance': ({ inputs: { until } }) =>
    `maintenance, in which the check does not run by itself${until === undefined ? '' : ` until ${until}`}`,
  'ran-in-maintenance': () => 'it ran in maintenance, where trouble is expected',
  'certificate-expires': ({ inputs: { certificate } }) =>
    certificate === undefined
      ? 'a certificate expires'
      : `the certificate of ${certificate.domain} expires in ${certificate.daysRemaining} ${certificate.daysRemaining === 1 ? 'day' : 'days'}`,
  reminder: (facts) => `it is still ${facts.to}${ofReminder(facts)}`,
}

/** “, reminder 1 of 3”; nothing where it is none. */
function ofReminder({ inputs: { reminder } }: DecisionFacts): string {
  if (reminder === undefined) return ''
  return `, reminder ${reminder.sequence}${reminder.amount === ENDLESS ? '' : ` of ${reminder.amount}`}`
}

const nameOfParent = ({ inputs: { parent } }: DecisionFacts) => (parent === undefined ? 'a check' : `“${parent.name}”`)

/** “1 of 3 runs”, “4 of 5 minutes”; never more than all. */
function progressOf({ inputs: { runCount = 0, minutes = 0, threshold } }: DecisionFacts): string {
  if (threshold === undefined) return 'as much'
  const { unit, amount } = threshold
  const done = Math.min(amount, unit === 'runs' ? runCount : minutes)
  return `${done} of ${amount} ${amount === 1 ? 'run' : unit}`
}
