import { IP_FAMILIES } from '@vedette/schema'
import { CheckboxField, SelectField } from '../../../../components/field.tsx'
import { httpVersionOptions } from '../api/http-versions.ts'
import { AssertionsEditor } from '../assertions/assertions-editor.tsx'
import type { PartProps } from '../kind-view.ts'
import { ThresholdFields } from '../threshold-fields.tsx'
import type { UrlDraft } from './draft.ts'

export function UrlMore(props: PartProps<UrlDraft>) {
  const { draft, set } = props
  return (
    <>
      <AssertionsEditor
        {...props}
        among={['STATUS_CODE']}
        path="request.assertions"
        hint="Without any, a run passes when an answer comes in time and its status is below 400."
      />
      <ThresholdFields {...props} highest={30_000} />
      <fieldset className="space-y-4">
        <legend className="mb-3 text-[0.9375rem] font-semibold">Request</legend>
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
    </>
  )
}
