import { API_ASSERTION_SOURCES, BODY_TYPES, HTTP_METHODS } from '@vedette/schema'
import { useContext } from 'react'
import { SelectField, TextArea } from '../../../../components/field.tsx'
import { FormGroup } from '../../form/form-group.ts'
import { groupHint } from '../../groups/group-says.tsx'
import { NO_OVERRIDES, overridesOf } from '../../groups/overrides.ts'
import { ScriptFields } from '../../scripts/script-fields.tsx'
import { useTemplateNotes } from '../../templates/use-template-notes.ts'
import { AssertionsEditor } from '../assertions/assertions-editor.tsx'
import { HttpConnectionFields } from '../http-connection-fields.tsx'
import type { PartProps } from '../kind-view.ts'
import { ThresholdFields } from '../threshold-fields.tsx'
import type { ApiDraft } from './draft.ts'
import { RequestExtras } from './request-extras.tsx'

const bodyTypes: Record<(typeof BODY_TYPES)[number], string> = {
  NONE: 'No body',
  JSON: 'JSON',
  FORM: 'Form',
  RAW: 'Plain text',
  GRAPHQL: 'GraphQL',
}

export function ApiMore(props: PartProps<ApiDraft>) {
  const { draft, set, errorOf } = props
  const group = useContext(FormGroup)
  const noteOf = useTemplateNotes(draft)
  const overrides = group ? overridesOf(group) : NO_OVERRIDES
  return (
    <>
      <AssertionsEditor
        {...props}
        among={API_ASSERTION_SOURCES}
        path="request.assertions"
        noteOf={noteOf}
        hint="Without any, a run passes when an answer comes in time and its status is below 400."
      />
      <ThresholdFields {...props} highest={30_000} />
      <fieldset className="space-y-4">
        <legend className="mb-3 text-[0.9375rem] font-semibold">Request</legend>
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label="Method"
            value={draft.method}
            options={HTTP_METHODS.map((value) => ({ value, label: value }))}
            onChange={(method) => set({ method })}
          />
          <SelectField
            label="Body"
            value={draft.bodyType}
            options={BODY_TYPES.map((value) => ({ value, label: bodyTypes[value] }))}
            onChange={(bodyType) => set({ bodyType })}
          />
        </div>
        {draft.bodyType !== 'NONE' && (
          <TextArea
            code
            label="Body text"
            value={draft.body}
            note={noteOf(draft.body)}
            error={errorOf('request.body')}
            onChange={(body) => set({ body })}
          />
        )}
        <RequestExtras draft={draft} set={set} noteOf={noteOf} />
      </fieldset>
      <HttpConnectionFields {...props} />
      <ScriptFields
        {...props}
        before={<GroupOrWords text={overrides.before} words="They run before the request is sent." />}
        after={
          <GroupOrWords text={overrides.after} words="They run when an answer came, before assertions are judged." />
        }
      />
    </>
  )
}

function GroupOrWords({ text, words }: { text: string | null; words: string }) {
  return <p className="text-[0.8125rem] text-faint">{groupHint(text, words)}</p>
}
