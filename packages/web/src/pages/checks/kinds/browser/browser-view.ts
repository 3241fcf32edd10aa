import { saveCheck } from '../../../../api/save-check.ts'
import { tryOut } from '../../../../api/try-out.ts'
import { draftShared, writeScriptShared } from '../../form/shared-draft.ts'
import { scriptFrequencyOptions } from '../../frequency.ts'
import type { KindView } from '../kind-view.ts'
import { blankScript, draftBrowser, nameOfScript, writeBrowser } from '../script/draft.ts'
import { scriptInBrief } from '../script/in-brief.ts'
import { ScriptResult } from '../script/script-result.tsx'
import { browserTemplate } from '../script/templates.ts'
import { VitalsSection } from '../script/vitals-section.tsx'
import { BrowserEssential, BrowserMore } from './browser-parts.tsx'

export const browserView: KindView<'BROWSER'> = {
  label: 'Browser',
  about: 'Runs a script that drives a real browser through your pages, and measures how they load.',
  blank: (address) => ({ ...blankScript(browserTemplate(address)), sslCheckDomain: '' }),
  drafts: (check) => ({ shared: draftShared(check), own: draftBrowser(check) }),
  Essential: BrowserEssential,
  More: BrowserMore,
  nameHint: 'If you leave it empty, the title of the first test is the name.',
  frequencies: scriptFrequencyOptions,
  nameFor: ({ script }) => nameOfScript(script, 'Browser check'),
  save: (checkId, shared, own) => saveCheck('BROWSER', checkId, { ...writeScriptShared(shared), ...writeBrowser(own) }),
  tryOut: (checkId, shared, own, signal) =>
    tryOut('BROWSER', checkId, { ...writeScriptShared(shared), ...writeBrowser(own) }, signal),
  inBrief: ({ browserCheckResult }) => scriptInBrief(browserCheckResult),
  detailOf: ({ browserCheckResult }) => browserCheckResult,
  Course: VitalsSection,
  Result: ScriptResult,
}
