import { type FormEvent, useState } from 'react'
import { complaintsIn } from '../../../api/complaints.ts'
import { useCreateClientCertificate } from '../../../api/create-client-certificate.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { TextArea, TextField } from '../../../components/field.tsx'
import { Notice } from '../../../components/notice.tsx'

const BLANK = { host: '', cert: '', key: '', passphrase: '', ca: '' }
const FIELDS = ['host', 'cert', 'key', 'passphrase', 'ca'] as const
const LONGEST_PEM = 100_000

export function AddClientCertificate({ onClose }: { onClose: () => void }) {
  const create = useCreateClientCertificate()
  const [draft, setDraft] = useState(BLANK)
  const set = (changes: Partial<typeof BLANK>) => setDraft((old) => ({ ...old, ...changes }))
  const { at } = complaintsIn(create.error)
  const isTold = FIELDS.some((field) => at(field) !== undefined)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { host, cert, key, passphrase, ca } = draft
    const body = {
      host: host.trim(),
      cert,
      key,
      passphrase: passphrase === '' ? null : passphrase,
      ca: ca.trim() === '' ? null : ca,
    }
    create.mutate(body, { onSuccess: onClose })
  }
  return (
    <Dialog title="Add a client certificate" onClose={onClose} size="wide">
      <form onSubmit={submit} className="space-y-4">
        <TextField
          label="Host"
          hint="Where it is shown, without a scheme; * stands for any characters. One for the very host goes before one with *."
          required
          maxLength={253}
          placeholder="*.example.org"
          autoCapitalize="none"
          spellCheck={false}
          value={draft.host}
          error={at('host')}
          onChange={(host) => set({ host })}
        />
        <TextArea
          label="Certificate (PEM)"
          hint="Below it, those of its issuers if the host needs them."
          code
          required
          maxLength={LONGEST_PEM}
          placeholder="-----BEGIN CERTIFICATE-----"
          value={draft.cert}
          error={at('cert')}
          onChange={(cert) => set({ cert })}
        />
        <TextArea
          label="Private key (PEM)"
          hint="It is kept encrypted and never shown again."
          code
          required
          maxLength={LONGEST_PEM}
          placeholder="-----BEGIN PRIVATE KEY-----"
          autoComplete="off"
          value={draft.key}
          error={at('key')}
          onChange={(key) => set({ key })}
        />
        <TextField
          label="Passphrase"
          hint="Of an encrypted key. It is never shown again."
          type="password"
          autoComplete="new-password"
          maxLength={1024}
          value={draft.passphrase}
          error={at('passphrase')}
          onChange={(passphrase) => set({ passphrase })}
        />
        <TextArea
          label="Authorities (PEM)"
          hint="Trusted for this host besides the usual ones, if its own certificate is from none of them."
          code
          rows={2}
          maxLength={LONGEST_PEM}
          value={draft.ca}
          error={at('ca')}
          onChange={(ca) => set({ ca })}
        />
        {create.error && !isTold && <Notice tone="bad">{create.error.message}</Notice>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            Add the certificate
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
