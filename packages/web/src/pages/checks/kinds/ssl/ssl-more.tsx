import { IP_FAMILIES, SSL_ASSERTION_SOURCES } from '@vedette/schema'
import { CheckboxField, SelectField, TextField } from '../../../../components/field.tsx'
import { AssertionsEditor } from '../assertions/assertions-editor.tsx'
import { ExpectedToFail } from '../connection-fields.tsx'
import type { PartProps } from '../kind-view.ts'
import { ThresholdFields } from '../threshold-fields.tsx'
import { BaselineFields } from './baseline-fields.tsx'
import { ClientCertificateField } from './client-certificate-field.tsx'
import type { SslDraft } from './draft.ts'

export function SslMore(props: PartProps<SslDraft>) {
  const { draft, set, errorOf } = props
  return (
    <>
      <BaselineFields {...props} />
      <AssertionsEditor
        {...props}
        among={SSL_ASSERTION_SOURCES}
        path="request.assertions"
        hint="Without any, a run passes when the certificate is valid, trusted and for the name, and the baseline is kept."
      />
      <ThresholdFields {...props} highest={30_000} />
      <fieldset className="space-y-4">
        <legend className="mb-3 text-[0.9375rem] font-semibold">Connection</legend>
        <TextField
          label="Server name"
          hint="The name that is asked for and that the certificate must be for. Empty takes the host."
          placeholder="shop.example.org"
          maxLength={253}
          autoCapitalize="none"
          spellCheck={false}
          value={draft.serverName}
          error={errorOf('request.sslConfig.serverName')}
          onChange={(serverName) => set({ serverName })}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label="IP version"
            value={draft.ipFamily}
            options={IP_FAMILIES.map((value) => ({ value, label: value }))}
            onChange={(ipFamily) => set({ ipFamily })}
          />
          <TextField
            label="Give up after (ms)"
            hint="From looking up the name to the end of the handshake."
            type="number"
            required
            min={1000}
            max={30_000}
            value={draft.handshakeTimeoutMs}
            error={errorOf('request.sslConfig.handshakeTimeoutMs')}
            onChange={(handshakeTimeoutMs) => set({ handshakeTimeoutMs })}
          />
        </div>
        <ClientCertificateField {...props} />
        <CheckboxField
          label="Accept any authority"
          hint="Also self-signed certificates. Names and dates are judged all the same."
          checked={draft.skipChainValidation}
          onChange={(skipChainValidation) => set({ skipChainValidation })}
        />
        <ExpectedToFail
          hint="A run then passes when it would have failed, and fails when all is well: for servers that must refuse."
          checked={draft.shouldFail}
          onChange={(shouldFail) => set({ shouldFail })}
        />
      </fieldset>
    </>
  )
}
