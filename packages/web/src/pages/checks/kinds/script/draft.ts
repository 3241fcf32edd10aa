/** A check that runs a script, as its form holds it. */
import {
  type BrowserCheck,
  type BrowserCheckCreate,
  MOST_SCRIPT_SECONDS,
  type MultiStepCheck,
  type MultiStepCheckCreate,
  type RUNTIMES,
} from '@vedette/schema'
import { type DraftVariable, draftVariables, writeVariables } from '../../variables/variables.ts'

export type RuntimeId = (typeof RUNTIMES)[number]

/** A file that the script imports. */
export interface DraftDependency {
  path: string
  content: string
}

export const BLANK_DEPENDENCY: DraftDependency = { path: '', content: '' }

export interface MultiStepDraft {
  script: string
  /** The file that the script is, for whoever keeps it in a repository. */
  scriptPath: string
  dependencies: readonly DraftDependency[]
  variables: readonly DraftVariable[]
  /** Null: that of the group or the account. */
  runtimeId: RuntimeId | null
  /** Seconds, as typed; empty: as long as any run may take. */
  timeout: string
}

export interface BrowserDraft extends MultiStepDraft {
  sslCheckDomain: string
}

export const blankScript = (script: string): MultiStepDraft => ({
  script,
  scriptPath: '',
  dependencies: [],
  variables: [],
  runtimeId: null,
  timeout: String(MOST_SCRIPT_SECONDS),
})

export const draftMultiStep = (check: MultiStepCheck | BrowserCheck): MultiStepDraft => ({
  script: check.script ?? '',
  scriptPath: check.scriptPath ?? '',
  dependencies: check.dependencies ?? [],
  variables: draftVariables(check.environmentVariables ?? []),
  runtimeId: check.runtimeId,
  timeout: String(check.timeout),
})

export const draftBrowser = (check: BrowserCheck): BrowserDraft => ({
  ...draftMultiStep(check),
  sslCheckDomain: check.sslCheckDomain ?? '',
})

type ScriptPart = Pick<
  MultiStepCheckCreate,
  'script' | 'scriptPath' | 'dependencies' | 'environmentVariables' | 'runtimeId' | 'timeout'
>

/** Rows left empty are not meant. */
export const writeMultiStep = (draft: MultiStepDraft): ScriptPart => ({
  script: draft.script,
  scriptPath: orNull(draft.scriptPath),
  dependencies: draft.dependencies
    .filter(({ path, content }) => path.trim() !== '' || content !== '')
    .map(({ path, content }) => ({ path: path.trim(), content })),
  environmentVariables: writeVariables(draft.variables),
  runtimeId: draft.runtimeId,
  timeout: draft.timeout.trim() === '' ? MOST_SCRIPT_SECONDS : Number(draft.timeout),
})

export const writeBrowser = (draft: BrowserDraft): ScriptPart & Pick<BrowserCheckCreate, 'sslCheckDomain'> => ({
  ...writeMultiStep(draft),
  sslCheckDomain: orNull(draft.sslCheckDomain),
})

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

const TITLE = /\btest(?:\.(?:only|describe|skip|fixme|slow))?\s*\(\s*(['"`])((?:(?!\1)[^\\\n])+)\1/

/** The title of the first test is what a check is called when nobody says so. */
export function nameOfScript(script: string, otherwise: string): string {
  const [, , title = ''] = TITLE.exec(script) ?? []
  return title.trim().slice(0, 255) || otherwise
}
