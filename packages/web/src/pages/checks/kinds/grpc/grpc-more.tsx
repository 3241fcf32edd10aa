import { GRPC_ASSERTION_SOURCES } from '@vedette/schema'
import { SelectField, TextArea, TextField } from '../../../../components/field.tsx'
import { KeyValues } from '../../../../components/key-values.tsx'
import { AssertionsEditor } from '../assertions/assertions-editor.tsx'
import { ConnectionFields } from '../connection-fields.tsx'
import type { PartProps } from '../kind-view.ts'
import { ThresholdFields } from '../threshold-fields.tsx'
import type { GrpcDraft } from './draft.ts'

const definitions = [
  { value: 'REFLECTION', label: 'Ask the server (reflection)' },
  { value: 'PROTO_FILE', label: 'From a .proto file' },
] as const

export function GrpcMore(props: PartProps<GrpcDraft>) {
  const { draft, set, errorOf } = props
  return (
    <>
      {draft.mode === 'BEHAVIOR' && (
        <fieldset className="space-y-4">
          <legend className="mb-3 text-[0.9375rem] font-semibold">Call</legend>
          <TextArea
            code
            label="Message (JSON)"
            value={draft.message}
            error={errorOf('request.grpcConfig.message')}
            onChange={(message) => set({ message })}
          />
          <SelectField
            label="Message types"
            value={draft.serviceDefinition}
            options={definitions}
            onChange={(serviceDefinition) => set({ serviceDefinition })}
          />
          {draft.serviceDefinition === 'PROTO_FILE' && (
            <TextArea
              code
              label="Text of the .proto file"
              value={draft.protoContent}
              error={errorOf('request.grpcConfig.protoContent')}
              onChange={(protoContent) => set({ protoContent })}
            />
          )}
        </fieldset>
      )}
      <AssertionsEditor
        {...props}
        among={GRPC_ASSERTION_SOURCES}
        path="request.assertions"
        hint="Without any, a run passes when the call ends with OK, and with SERVING where health was asked for."
      />
      <ThresholdFields {...props} highest={30_000} />
      <KeyValues legend="Metadata" noun="metadata" items={draft.metadata} onChange={(metadata) => set({ metadata })} />
      <ConnectionFields
        {...props}
        failing="Every status and every state of health then passes; only assertions and network errors fail."
        beside={
          <TextField
            label="Give up after (s)"
            type="number"
            min={1}
            max={30}
            value={draft.timeout}
            error={errorOf('request.timeout')}
            onChange={(timeout) => set({ timeout })}
          />
        }
      />
    </>
  )
}
