/** What a report tells of an observation, by kind. */
import type {
  AssertionOutcome,
  KindObservations,
  KindSettings,
  RunDetail,
  RunnableKind,
  ScriptFile,
  SeenCertificate,
} from '@vedette/schema'
import type { HandedIn } from '../assets/hand-in.ts'
import type { Scrub } from './masks.ts'

export interface Details<K extends RunnableKind> {
  /** So much of an answer is of use: what is read beyond it is measured and dropped. */
  keepBytes(settings: KindSettings<K>): number
  /** Whether no run is like another: then nothing of one stands for another. */
  isAlwaysKept?: true
  /** What must not be told, whatever repeats it. */
  secrets(settings: KindSettings<K>): string[]
  statusCode(observation: KindObservations[K]): number | null
  /** Milliseconds in the order of the kind: see the columns of results. Null without an answer. */
  phases(observation: KindObservations[K]): number[] | null
  /** Equal for answers that tell the same; null without an answer. */
  fingerprint(
    observation: KindObservations[K],
    assertions: readonly AssertionOutcome[],
    settings: KindSettings<K>,
  ): string | null
  /** That of the host that the check is about; kinds that see none have no such thing. */
  certificate?(observation: KindObservations[K]): SeenCertificate | null
  /** What is kept beyond the row. Every text in it has gone through `clean`. */
  detail(
    settings: KindSettings<K>,
    observation: KindObservations[K],
    assertions: readonly AssertionOutcome[],
    clean: Scrub,
  ): Extract<RunDetail, { kind: K }>
  /** Where the judge tells a part of a text, a secret in it must be gone before: a part of a secret would not be found. */
  toJudge?(observation: KindObservations[K], clean: Scrub): KindObservations[K]
  /** Files that the run left; kinds that leave none have no such thing. */
  files?(observation: KindObservations[K]): readonly ScriptFile[]
  /** The observation with those files alone that are kept. */
  keeping?(observation: KindObservations[K], handedIn: HandedIn): KindObservations[K]
}
