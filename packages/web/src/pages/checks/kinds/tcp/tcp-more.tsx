import { TCP_ASSERTION_SOURCES } from '@vedette/schema'
import { SelectField, TextArea } from '../../../../components/field.tsx'
import { AssertionsEditor } from '../assertions/assertions-editor.tsx'
import { ConnectionFields } from '../connection-fields.tsx'
import type { PartProps } from '../kind-view.ts'
import { ThresholdFields } from '../threshold-fields.tsx'
import type { TcpDraft } from './draft.ts'

export function TcpMore(props: PartProps<TcpDraft>) {
  const { draft, set, errorOf } = props
  return (
    <>
      <fieldset className="space-y-4">
        <legend className="mb-3 text-[0.9375rem] font-semibold">Data</legend>
        <TextArea
          label="Text to send"
          hint="Sent once connected. End it with a line break where the protocol wants one. Empty sends nothing."
          code
          rows={3}
          maxLength={65_536}
          value={draft.data}
          error={errorOf('request.data')}
          onChange={(data) => set({ data })}
        />
        <SelectField
          label="Line breaks"
          value={draft.lineEnd}
          options={[
            { value: 'CRLF', label: 'CR LF, as most protocols have it' },
            { value: 'LF', label: 'LF' },
          ]}
          onChange={(lineEnd) => set({ lineEnd })}
        />
      </fieldset>
      <AssertionsEditor
        {...props}
        among={TCP_ASSERTION_SOURCES}
        path="request.assertions"
        hint="Without any, a run passes when the connection is made in time and, where a text is sent, something comes back."
      />
      <ThresholdFields {...props} highest={5000} />
      <ConnectionFields
        {...props}
        failing="A run then passes when the connection is refused or ignored, and fails when it is made: for ports that must stay closed."
      />
    </>
  )
}
