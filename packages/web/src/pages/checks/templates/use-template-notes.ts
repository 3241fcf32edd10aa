import { useQuery } from '@tanstack/react-query'
import { BUILT_IN_VARIABLES, type CheckGroup, type Snippet } from '@vedette/schema'
import { useContext } from 'react'
import { snippetsQuery } from '../../../api/snippets.ts'
import { variablesQuery } from '../../../api/variables.ts'
import { FormGroup } from '../form/form-group.ts'
import { draftScripts, type ScriptsDraft } from '../scripts/scripts.ts'
import { namesSetBy, unknownNames } from './unknown-names.ts'

/** What to say under a field with this text. A hidden text is not repeated. */
export type NoteOf = (text: string, isHidden?: boolean) => string | undefined

interface Besides {
  /** Whether scripts that are not known here run too. */
  otherScripts?: boolean
  /** Of variables that are being written. */
  names?: readonly string[]
}

/**
 * Notes about names in templates that no variable has. They hinder nobody: a script may set what is not seen here.
 *
 * @param own scripts that run around the request, besides those of the group; null where none do
 */
export function useTemplateNotes(own: ScriptsDraft | null, { otherScripts = false, names = [] }: Besides = {}): NoteOf {
  const group = useContext(FormGroup)
  const { data: variables } = useQuery(variablesQuery)
  const all = own === null ? [] : [own, ...(group === undefined ? [] : [draftScripts(group)])]
  const needsSnippets = all.some(({ setUpSnippetId }) => setUpSnippetId !== null)
  const { data: snippets = [] } = useQuery({ ...snippetsQuery, enabled: needsSnippets })
  if (variables === undefined) return () => undefined

  const scripts = all.flatMap((owner) => scriptsOf(owner, snippets))
  const known = new Set([
    ...BUILT_IN_VARIABLES,
    ...variables.map(({ key }) => key),
    ...ofGroup(group),
    ...names,
    ...scripts.flatMap(namesSetBy),
  ])
  const end = otherScripts || needsSnippets || scripts.length > 0 ? ' unless a script sets it.' : '.'
  return (text, isHidden = false) => {
    const unknown = unknownNames(text, known)
    if (unknown.length === 0) return undefined
    const name = isHidden ? 'of this name' : `named ${unknown.join(' or ')}`
    return `No variable is ${name}: it will be empty${end}`
  }
}

const ofGroup = (group: CheckGroup | undefined) => group?.environmentVariables.map(({ key }) => key) ?? []

function scriptsOf({ setUpSnippetId, setUpScript }: ScriptsDraft, snippets: readonly Snippet[]): string[] {
  const snippet = snippets.find(({ id }) => id === setUpSnippetId)?.script
  return [snippet ?? '', setUpScript].filter((script) => script.trim() !== '')
}
