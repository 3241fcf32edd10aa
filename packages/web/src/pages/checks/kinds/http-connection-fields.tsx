import { CheckboxField, SelectField } from '../../../components/field.tsx'
import { httpVersionOptions } from './api/http-versions.ts'
import { ConnectionFields } from './connection-fields.tsx'
import type { PartProps } from './kind-view.ts'
import type { UrlDraft } from './url/draft.ts'

type HttpConnection = Pick<UrlDraft, 'ipFamily' | 'httpVersion' | 'followRedirects' | 'skipSSL' | 'shouldFail'>

/** How a request over HTTP gets to its target. */
export function HttpConnectionFields(props: PartProps<HttpConnection>) {
  const { draft, set, errorOf } = props
  return (
    <ConnectionFields
      {...props}
      failing="A 4xx or 5xx answer then passes; only assertions and network errors fail."
      beside={
        <SelectField
          label="HTTP version"
          value={draft.httpVersion}
          options={httpVersionOptions}
          error={errorOf('request.httpVersion')}
          onChange={(httpVersion) => set({ httpVersion })}
        />
      }
    >
      <CheckboxField
        label="Follow redirects"
        checked={draft.followRedirects}
        onChange={(followRedirects) => set({ followRedirects })}
      />
    </ConnectionFields>
  )
}
