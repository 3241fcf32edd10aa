import { API_ASSERTION_SOURCES } from '@vedette/schema'
import { type ReactNode, useState } from 'react'
import { Disclosure } from '../../../components/disclosure.tsx'
import { TextField } from '../../../components/field.tsx'
import { RequestExtras } from '../kinds/api/request-extras.tsx'
import { AssertionsEditor } from '../kinds/assertions/assertions-editor.tsx'
import type { PartProps } from '../kinds/kind-view.ts'
import { ScriptFields } from '../scripts/script-fields.tsx'
import { hasScripts, writeScripts } from '../scripts/scripts.ts'
import { useTemplateNotes } from '../templates/use-template-notes.ts'
import type { GroupDraft } from './group-draft.ts'

const faults = ['apiCheckDefaults', 'setupSnippetId', 'tearDownSnippetId', 'localSetupScript', 'localTearDownScript']

/** What the API checks of the group have in common. */
export function ApiDefaultsFields(props: PartProps<GroupDraft>) {
  const { draft, set, errorOf } = props
  const { baseUrl, headers, queryParameters, username, assertions } = draft
  const noteOf = useTemplateNotes(draft, { otherScripts: true, names: draft.variables.map(({ key }) => key.trim()) })
  const [open] = useState(
    baseUrl !== '' ||
      username !== '' ||
      headers.length + queryParameters.length + assertions.length > 0 ||
      hasScripts(writeScripts(draft)),
  )
  return (
    <div className="rounded-lg border border-line px-4 py-2">
      <Disclosure summary="Defaults of API checks" open={open || faults.some((key) => errorOf(key) !== undefined)}>
        <div className="space-y-6 pt-2 pb-3">
          <TextField
            label="Base URL"
            hint="Checks write {{GROUP_BASE_URL}} where it should stand."
            placeholder="https://example.org"
            maxLength={2048}
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
            value={draft.baseUrl}
            error={errorOf('apiCheckDefaults.url')}
            onChange={(baseUrl) => set({ baseUrl })}
          />
          <p className="text-[0.8125rem] text-faint">
            Headers and parameters are added to those of a check unless it has one of that name; credentials, unless it
            has any.
          </p>
          <RequestExtras draft={draft} set={set} noteOf={noteOf} />
          <AssertionsEditor
            {...props}
            among={API_ASSERTION_SOURCES}
            path="apiCheckDefaults.assertions"
            noteOf={noteOf}
            hint="They follow those of the check."
          />
          <ScriptFields
            {...props}
            before={<Words>They run before those of each check.</Words>}
            after={<Words>They run after those of each check, and only when an answer came.</Words>}
          />
        </div>
      </Disclosure>
    </div>
  )
}

const Words = ({ children }: { children: ReactNode }) => <p className="text-[0.8125rem] text-faint">{children}</p>
