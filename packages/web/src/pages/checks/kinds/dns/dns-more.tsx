import { DNS_ASSERTION_SOURCES, DNS_PROTOCOLS } from '@vedette/schema'
import { CheckboxField, SelectField, TextField } from '../../../../components/field.tsx'
import { AssertionsEditor } from '../assertions/assertions-editor.tsx'
import { ExpectedToFail } from '../connection-fields.tsx'
import type { PartProps } from '../kind-view.ts'
import { ThresholdFields } from '../threshold-fields.tsx'
import { type AskBy, type DnsDraft, isEncrypted, USUAL_PORTS } from './draft.ts'

const waysToAsk: Record<AskBy, string> = {
  UDP_OR_TCP: 'UDP, then TCP when the answer was cut',
  UDP: 'UDP only',
  TCP: 'TCP',
  DOT: 'DNS over TLS',
  DOH: 'DNS over HTTPS',
}

export function DnsMore(props: PartProps<DnsDraft>) {
  const { draft, set, errorOf } = props
  const encrypted = isEncrypted(draft.askBy)
  return (
    <>
      <AssertionsEditor
        {...props}
        among={['JSON_ANSWER', ...DNS_ASSERTION_SOURCES.filter((source) => source !== 'JSON_ANSWER')]}
        path="request.assertions"
        hint="Without any, a run passes when an answer comes in time and its response code is NOERROR."
      />
      <ThresholdFields {...props} highest={5000} />
      <fieldset className="space-y-4">
        <legend className="mb-3 text-[0.9375rem] font-semibold">Name server</legend>
        <SelectField
          label="Ask by"
          value={draft.askBy}
          options={(['UDP_OR_TCP', ...DNS_PROTOCOLS] as const).map((value) => ({ value, label: waysToAsk[value] }))}
          error={errorOf('request.protocol')}
          onChange={(askBy) => set({ askBy })}
        />
        <div className="grid gap-4 sm:grid-cols-[1fr_8rem]">
          <TextField
            label="Host"
            hint={
              encrypted ? 'A name or an address.' : 'A name or an address. Empty asks the name servers of the runner.'
            }
            placeholder="ns1.example.org"
            required={encrypted}
            maxLength={100}
            autoCapitalize="none"
            spellCheck={false}
            value={draft.nameServer}
            error={errorOf('request.nameServer')}
            onChange={(nameServer) => set({ nameServer })}
          />
          <TextField
            label="Port"
            type="number"
            min={1}
            max={65_535}
            placeholder={String(USUAL_PORTS[draft.askBy])}
            value={draft.port}
            error={errorOf('request.port')}
            onChange={(port) => set({ port })}
          />
        </div>
        {draft.askBy === 'DOH' && (
          <TextField
            label="Path"
            placeholder="/dns-query"
            maxLength={1000}
            value={draft.path}
            error={errorOf('request.path')}
            onChange={(path) => set({ path })}
          />
        )}
        {encrypted && (
          <CheckboxField
            label="Accept any certificate"
            hint="Also expired, self-signed and wrong ones."
            checked={draft.skipSSL}
            onChange={(skipSSL) => set({ skipSSL })}
          />
        )}
        <ExpectedToFail
          hint="NXDOMAIN and others then pass; only assertions and missing answers fail."
          checked={draft.shouldFail}
          onChange={(shouldFail) => set({ shouldFail })}
        />
      </fieldset>
    </>
  )
}
