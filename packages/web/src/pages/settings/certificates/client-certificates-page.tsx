import { useQuery } from '@tanstack/react-query'
import type { ClientCertificate } from '@vedette/schema'
import { useState } from 'react'
import { clientCertificatesQuery } from '../../../api/client-certificates.ts'
import { useDeleteClientCertificate } from '../../../api/delete-client-certificate.ts'
import { useMayWrite } from '../../../api/may-write.ts'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/confirm.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Section } from '../../../components/section.tsx'
import { SettingsFrame } from '../settings-frame.tsx'
import { AddClientCertificate } from './add-client-certificate.tsx'
import { Expiry } from './expiry.tsx'

type Open = { kind: 'add' } | { kind: 'delete'; certificate: ClientCertificate } | null

export default function ClientCertificatesPage() {
  const certificates = useQuery(clientCertificatesQuery)
  const mayWrite = useMayWrite()
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const add = mayWrite && (
    <Button icon="plus" look="primary" onClick={() => setOpen({ kind: 'add' })}>
      Add a certificate
    </Button>
  )
  return (
    <SettingsFrame
      title="Client certificates"
      about={
        <p>
          With these, API and URL checks show who they are to hosts that ask for it. None is ever shown to another host.
        </p>
      }
    >
      <Section title="Of the account" flush aside={certificates.data && certificates.data.length > 0 && add}>
        <Loaded query={certificates}>
          {(certificates) =>
            certificates.length === 0 ? (
              <Empty title="No client certificate yet">
                <p className="mb-4">
                  A host that lets in only who has a certificate answers a check once one is kept here for its name, or
                  for a pattern such as <code>*.example.org</code>.
                </p>
                {add}
              </Empty>
            ) : (
              <ul aria-label="Client certificates" className="divide-y divide-line">
                {certificates.map((certificate) => (
                  <CertificateRow
                    key={certificate.id}
                    certificate={certificate}
                    onDelete={mayWrite ? () => setOpen({ kind: 'delete', certificate }) : null}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Section>
      {open?.kind === 'add' && <AddClientCertificate onClose={close} />}
      {open?.kind === 'delete' && <DeleteCertificate certificate={open.certificate} onClose={close} />}
    </SettingsFrame>
  )
}

interface CertificateRowProps {
  certificate: ClientCertificate
  /** Null for readers. */
  onDelete: (() => void) | null
}

function CertificateRow({ certificate, onDelete }: CertificateRowProps) {
  const { host, subject, ca } = certificate
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
      <div className="min-w-0 flex-1 basis-72">
        <h3 className="font-mono text-[0.875rem] font-semibold break-all">{host}</h3>
        <p className="text-[0.875rem] break-words text-soft">
          {subject || 'without a subject'}
          {ca !== null && ', with authorities of its own to trust'}
        </p>
        <Expiry certificate={certificate} />
      </div>
      {onDelete && (
        <Button icon="trash" look="danger" onClick={onDelete} aria-label={`Delete the certificate for ${host}`}>
          Delete
        </Button>
      )}
    </li>
  )
}

interface DeleteCertificateProps {
  certificate: ClientCertificate
  onClose: () => void
}

function DeleteCertificate({ certificate: { id, host, subject }, onClose }: DeleteCertificateProps) {
  const remove = useDeleteClientCertificate()
  return (
    <Confirm
      title="Delete this certificate?"
      action="Delete"
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate(id, { onSuccess: onClose })}
    >
      <p>
        <strong className="break-words text-ink">{subject || 'It'}</strong> is not shown to{' '}
        <code className="break-all text-ink">{host}</code> any more.
      </p>
    </Confirm>
  )
}
