import { API_ASSERTION_SOURCES, BODY_TYPES, HTTP_METHODS, IP_FAMILIES } from '@vedette/schema'
import { CheckboxField, SelectField, TextArea } from '../../../../components/field.tsx'
import { AssertionsEditor } from '../assertions/assertions-editor.tsx'
import type { PartProps } from '../kind-view.ts'
import { ThresholdFields } from '../threshold-fields.tsx'
import type { ApiDraft } from './draft.ts'
import { httpVersionOptions } from './http-versions.ts'
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
  return (
    <>
      <AssertionsEditor
        {...props}
        among={API_ASSERTION_SOURCES}
        path="request.assertions"
        hint="Without any, a run passes when an answer comes in time and its status is below 400."
      />
      <ThresholdFields {...props} highest={30_000} />
      <fieldset className="space-y-4">
        <legend className="mb-3 text-[0.9375rem] font-semibold">Request</legend>
        <div className="grid gap-4 sm:grid-cols-3">
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
          <SelectField
            label="IP version"
            value={draft.ipFamily}
            options={IP_FAMILIES.map((value) => ({ value, label: value }))}
            onChange={(ipFamily) => set({ ipFamily })}
          />
          <SelectField
            label="HTTP version"
            value={draft.httpVersion}
            options={httpVersionOptions}
            onChange={(httpVersion) => set({ httpVersion })}
          />
        </div>
        {draft.bodyType !== 'NONE' && (
          <TextArea
            code
            label="Body text"
            value={draft.body}
            error={errorOf('request.body')}
            onChange={(body) => set({ body })}
          />
        )}
        <RequestExtras draft={draft} set={set} />
        <CheckboxField
          label="Follow redirects"
          checked={draft.followRedirects}
          onChange={(followRedirects) => set({ followRedirects })}
        />
        <CheckboxField
          label="Accept any certificate"
          hint="Also expired, self-signed and wrong ones."
          checked={draft.skipSSL}
          onChange={(skipSSL) => set({ skipSSL })}
        />
        <CheckboxField
          label="An error status is what I expect"
          hint="A 4xx or 5xx answer then passes; only assertions and network errors fail."
          checked={draft.shouldFail}
          onChange={(shouldFail) => set({ shouldFail })}
        />
      </fieldset>
      <fieldset className="space-y-4">
        <legend className="mb-3 text-[0.9375rem] font-semibold">Scripts</legend>
        <TextArea
          code
          label="Before the request"
          hint="JavaScript or TypeScript that prepares request and process.env. When it fails, nothing is sent."
          value={draft.setUpScript}
          error={errorOf('localSetupScript')}
          onChange={(setUpScript) => set({ setUpScript })}
        />
        <TextArea
          code
          label="After the request"
          hint="May read request and response, and change response.body before assertions see it."
          value={draft.tearDownScript}
          error={errorOf('localTearDownScript')}
          onChange={(tearDownScript) => set({ tearDownScript })}
        />
      </fieldset>
    </>
  )
}
