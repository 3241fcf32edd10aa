/** The scripts around the requests of API checks, which checks and groups alike have. */
import type { ApiCheck } from '@vedette/schema'
import { plural } from '../../../components/number.ts'

export type ScriptOwner = Pick<
  ApiCheck,
  'setupSnippetId' | 'tearDownSnippetId' | 'localSetupScript' | 'localTearDownScript'
>

export interface ScriptsDraft {
  setUpSnippetId: number | null
  setUpScript: string
  tearDownSnippetId: number | null
  tearDownScript: string
}

export const NO_SCRIPTS: ScriptsDraft = {
  setUpSnippetId: null,
  setUpScript: '',
  tearDownSnippetId: null,
  tearDownScript: '',
}

export const draftScripts = (owner: ScriptOwner): ScriptsDraft => ({
  setUpSnippetId: owner.setupSnippetId,
  setUpScript: owner.localSetupScript ?? '',
  tearDownSnippetId: owner.tearDownSnippetId,
  tearDownScript: owner.localTearDownScript ?? '',
})

export const writeScripts = (draft: ScriptsDraft): ScriptOwner => ({
  setupSnippetId: draft.setUpSnippetId,
  localSetupScript: isWritten(draft.setUpScript) ? draft.setUpScript : null,
  tearDownSnippetId: draft.tearDownSnippetId,
  localTearDownScript: isWritten(draft.tearDownScript) ? draft.tearDownScript : null,
})

const isWritten = (script: string) => script.trim() !== ''

/** What runs at each place, in words: “a snippet and a script”; null where nothing does. */
export function placesOf(owner: ScriptOwner): { before: string | null; after: string | null } {
  const { setUpSnippetId, setUpScript, tearDownSnippetId, tearDownScript } = draftScripts(owner)
  return { before: placeOf(setUpSnippetId, setUpScript), after: placeOf(tearDownSnippetId, tearDownScript) }
}

function placeOf(snippetId: number | null, script: string): string | null {
  const parts = [...(snippetId === null ? [] : ['a snippet']), ...(isWritten(script) ? ['a script'] : [])]
  return parts.length === 0 ? null : parts.join(' and ')
}

/** How many scripts run around a request, of the check and of its group: “2 before, 1 after”. */
export function scriptWords(owners: readonly ScriptOwner[]): string {
  const drafts = owners.map(draftScripts)
  const before = drafts.map(({ setUpSnippetId, setUpScript }) => count(setUpSnippetId, setUpScript)).reduce(add, 0)
  const after = drafts
    .map(({ tearDownSnippetId, tearDownScript }) => count(tearDownSnippetId, tearDownScript))
    .reduce(add, 0)
  const parts = [
    ...(before > 0 ? [`${plural(before, 'script')} before the request`] : []),
    ...(after > 0 ? [before > 0 ? `${after} after it` : `${plural(after, 'script')} after the request`] : []),
  ]
  return parts.join(', ') || 'none'
}

const count = (snippetId: number | null, script: string) => (snippetId === null ? 0 : 1) + (isWritten(script) ? 1 : 0)
const add = (a: number, b: number) => a + b

export const hasScripts = (owner: ScriptOwner): boolean => {
  const { before, after } = placesOf(owner)
  return before !== null || after !== null
}
