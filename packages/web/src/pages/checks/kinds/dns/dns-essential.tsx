import { DNS_RECORD_TYPES, type DnsRecordType } from '@vedette/schema'
import { SelectField, TextField } from '../../../../components/field.tsx'
import type { PartProps } from '../kind-view.ts'
import type { DnsDraft } from './draft.ts'

const recordTypes: Record<DnsRecordType, string> = {
  A: 'IPv4 address',
  AAAA: 'IPv6 address',
  CNAME: 'alias',
  MX: 'mail servers',
  NS: 'name servers',
  TXT: 'texts',
  SOA: 'start of authority',
  HTTPS: 'web service',
  SRV: 'service',
  CAA: 'certificate authorities',
  PTR: 'name of an address',
}

export function DnsEssential({ draft, set, errorOf }: PartProps<DnsDraft>) {
  return (
    <div className="grid gap-4 sm:grid-cols-[1fr_16rem]">
      <TextField
        label="Domain name"
        hint={draft.recordType === 'PTR' ? 'To look up; an address will do.' : 'To look up.'}
        placeholder="example.org"
        required
        maxLength={100}
        autoCapitalize="none"
        spellCheck={false}
        value={draft.query}
        error={errorOf('request.query')}
        onChange={(query) => set({ query })}
      />
      <SelectField
        label="Record type"
        value={draft.recordType}
        options={DNS_RECORD_TYPES.map((value) => ({ value, label: `${value}: ${recordTypes[value]}` }))}
        error={errorOf('request.recordType')}
        onChange={(recordType) => set({ recordType })}
      />
    </div>
  )
}
