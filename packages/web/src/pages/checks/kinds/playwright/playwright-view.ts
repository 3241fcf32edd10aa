import { saveCheck } from '../../../../api/save-check.ts'
import { tryOut } from '../../../../api/try-out.ts'
import { draftShared, writeSuiteShared } from '../../form/shared-draft.ts'
import { scriptFrequencyOptions } from '../../frequency.ts'
import type { KindView } from '../kind-view.ts'
import { scriptInBrief } from '../script/in-brief.ts'
import { ScriptResult } from '../script/script-result.tsx'
import { BLANK_SUITE, draftSuite, nameOfSuite, writeSuite } from './draft.ts'
import { SuiteEssential, SuiteMore } from './suite-parts.tsx'

export const playwrightView: KindView<'PLAYWRIGHT'> = {
  label: 'Playwright suite',
  about: 'Runs a Playwright project of yours, with its own configuration, projects and retries.',
  blank: () => BLANK_SUITE,
  drafts: (check) => ({ shared: draftShared(check), own: draftSuite(check) }),
  Essential: SuiteEssential,
  More: SuiteMore,
  nameHint: 'If you leave it empty, the archive gives the name.',
  frequencies: scriptFrequencyOptions,
  retriesItself: true,
  nameFor: nameOfSuite,
  save: (checkId, shared, own) => saveCheck('PLAYWRIGHT', checkId, { ...writeSuiteShared(shared), ...writeSuite(own) }),
  tryOut: (checkId, shared, own, signal) =>
    tryOut('PLAYWRIGHT', checkId, { ...writeSuiteShared(shared), ...writeSuite(own) }, signal),
  inBrief: ({ playwrightCheckResult = null }) => scriptInBrief(playwrightCheckResult),
  detailOf: ({ playwrightCheckResult = null }) => playwrightCheckResult,
  Result: ScriptResult,
}
