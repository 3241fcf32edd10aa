/** A suite, as its form holds it. */
import { MOST_SUITE_SECONDS, type PlaywrightCheck, type PlaywrightCheckCreate } from '@vedette/schema'
import { type DraftVariable, draftVariables, writeVariables } from '../../variables/variables.ts'

export interface SuiteDraft {
  /** Of the uploaded project. */
  codeBundlePath: string
  /** The name of the archive that was uploaded here; empty: none was. */
  fileName: string
  testCommand: string
  workingDir: string
  /** Empty: the current one. */
  playwrightVersion: string
  hasPages: boolean
  /** Seconds, as typed; empty: as long as any suite may take. */
  timeout: string
  variables: readonly DraftVariable[]
}

export const BLANK_SUITE: SuiteDraft = {
  codeBundlePath: '',
  fileName: '',
  testCommand: '',
  workingDir: '',
  playwrightVersion: '',
  hasPages: true,
  timeout: String(MOST_SUITE_SECONDS),
  variables: [],
}

export const draftSuite = (check: PlaywrightCheck): SuiteDraft => ({
  codeBundlePath: check.codeBundlePath,
  fileName: '',
  testCommand: check.testCommand ?? '',
  workingDir: check.workingDir ?? '',
  playwrightVersion: check.playwrightVersion ?? '',
  hasPages: check.browsers.length > 0,
  timeout: String(check.timeout),
  variables: draftVariables(check.environmentVariables ?? []),
})

type SuitePart = Pick<
  PlaywrightCheckCreate,
  | 'codeBundlePath'
  | 'testCommand'
  | 'workingDir'
  | 'playwrightVersion'
  | 'browsers'
  | 'environmentVariables'
  | 'timeout'
>

export const writeSuite = (draft: SuiteDraft): SuitePart => ({
  codeBundlePath: draft.codeBundlePath.trim(),
  testCommand: orNull(draft.testCommand),
  workingDir: orNull(draft.workingDir),
  playwrightVersion: orNull(draft.playwrightVersion),
  browsers: draft.hasPages ? ['chromium'] : [],
  timeout: draft.timeout.trim() === '' ? MOST_SUITE_SECONDS : Number(draft.timeout),
  environmentVariables: writeVariables(draft.variables),
})

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** An archive is called as its project is, more often than not. */
export const nameOfSuite = ({ fileName }: Pick<SuiteDraft, 'fileName'>): string =>
  fileName.replace(/\.(?:tar\.gz|tgz|tar|gz)$/i, '').slice(0, 255) || 'Playwright suite'
