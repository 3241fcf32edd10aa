/** A suite, as its form holds it. */
import type { PlaywrightCheck, PlaywrightCheckCreate } from '@vedette/schema'
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
  variables: readonly DraftVariable[]
}

export const BLANK_SUITE: SuiteDraft = {
  codeBundlePath: '',
  fileName: '',
  testCommand: '',
  workingDir: '',
  playwrightVersion: '',
  hasPages: true,
  variables: [],
}

export const draftSuite = (check: PlaywrightCheck): SuiteDraft => ({
  codeBundlePath: check.codeBundlePath,
  fileName: '',
  testCommand: check.testCommand ?? '',
  workingDir: check.workingDir ?? '',
  playwrightVersion: check.playwrightVersion ?? '',
  hasPages: check.browsers.length > 0,
  variables: draftVariables(check.environmentVariables ?? []),
})

type SuitePart = Pick<
  PlaywrightCheckCreate,
  'codeBundlePath' | 'testCommand' | 'workingDir' | 'playwrightVersion' | 'browsers' | 'environmentVariables'
>

export const writeSuite = (draft: SuiteDraft): SuitePart => ({
  codeBundlePath: draft.codeBundlePath.trim(),
  testCommand: orNull(draft.testCommand),
  workingDir: orNull(draft.workingDir),
  playwrightVersion: orNull(draft.playwrightVersion),
  browsers: draft.hasPages ? ['chromium'] : [],
  environmentVariables: writeVariables(draft.variables),
})

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** An archive is called as its project is, more often than not. */
export const nameOfSuite = ({ fileName }: Pick<SuiteDraft, 'fileName'>): string =>
  fileName.replace(/\.(?:tar\.gz|tgz|tar|gz)$/i, '').slice(0, 255) || 'Playwright suite'
