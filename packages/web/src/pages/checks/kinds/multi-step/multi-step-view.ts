import { saveCheck } from '../../../../api/save-check.ts'
import { tryOut } from '../../../../api/try-out.ts'
import { draftShared, writeScriptShared } from '../../form/shared-draft.ts'
import { scriptFrequencyOptions } from '../../frequency.ts'
import type { KindView } from '../kind-view.ts'
import { blankScript, draftMultiStep, nameOfScript, writeMultiStep } from '../script/draft.ts'
import { scriptInBrief } from '../script/in-brief.ts'
import { ScriptResult } from '../script/script-result.tsx'
import { multiStepTemplate } from '../script/templates.ts'
import { MultiStepEssential, MultiStepMore } from './multi-step-parts.tsx'

export const multiStepView: KindView<'MULTI_STEP'> = {
  label: 'Multi-step',
  about: 'Runs a script that makes several requests, each with what came of the ones before.',
  blank: (address) => blankScript(multiStepTemplate(address)),
  drafts: (check) => ({ shared: draftShared(check), own: draftMultiStep(check) }),
  Essential: MultiStepEssential,
  More: MultiStepMore,
  nameHint: 'If you leave it empty, the title of the first test is the name.',
  frequencies: scriptFrequencyOptions,
  nameFor: ({ script }) => nameOfScript(script, 'Multi-step check'),
  save: (checkId, shared, own) =>
    saveCheck('MULTI_STEP', checkId, { ...writeScriptShared(shared), ...writeMultiStep(own) }),
  tryOut: (checkId, shared, own, signal) =>
    tryOut('MULTI_STEP', checkId, { ...writeScriptShared(shared), ...writeMultiStep(own) }, signal),
  inBrief: ({ multiStepCheckResult }) => scriptInBrief(multiStepCheckResult),
  detailOf: ({ multiStepCheckResult }) => multiStepCheckResult,
  Result: ScriptResult,
}
