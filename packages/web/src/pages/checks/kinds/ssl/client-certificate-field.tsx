import { useQuery } from '@tanstack/react-query'
import { clientCertificatesQuery } from '../../../../api/client-certificates.ts'
import { SelectField } from '../../../../components/field.tsx'
import { formatShort } from '../../../../components/instant.tsx'
import type { PartProps } from '../kind-view.ts'
import type { SslDraft } from './draft.ts'

/** Which of the account’s client certificates a server is shown that asks for one. */
export function ClientCertificateField({ draft, set, errorOf }: PartProps<SslDraft>) {
  const { data: certificates = [] } = useQuery(clientCertificatesQuery)
  const chosen = draft.clientCertificateId
  const listed = certificates.map(({ id, host, created_at }) => ({
    value: id,
    label: `That for ${host}, added ${formatShort(created_at)}`,
  }))
  // What is chosen stays chosen while the list is on its way.
  const unlisted =
    chosen === '' || listed.some(({ value }) => value === chosen) ? [] : [{ value: chosen, label: chosen }]
  return (
    <SelectField
      label="Client certificate"
      hint="For servers that ask for one. Client certificates are kept in the settings."
      value={chosen}
      options={[{ value: '', label: 'The one that fits the host, if there is one' }, ...listed, ...unlisted]}
      error={errorOf('request.sslClientCertificateId')}
      onChange={(clientCertificateId) => set({ clientCertificateId })}
    />
  )
}
