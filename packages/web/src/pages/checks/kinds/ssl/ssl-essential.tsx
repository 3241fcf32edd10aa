import { TextField } from '../../../../components/field.tsx'
import type { PartProps } from '../kind-view.ts'
import type { SslDraft } from './draft.ts'

export function SslEssential({ draft, set, errorOf }: PartProps<SslDraft>) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[1fr_9rem]">
        <TextField
          label="Host"
          hint="A name or an address."
          placeholder="shop.example.org"
          required
          maxLength={2048}
          autoCapitalize="none"
          spellCheck={false}
          value={draft.hostname}
          error={errorOf('request.sslConfig.hostname')}
          onChange={(hostname) => set({ hostname })}
        />
        <TextField
          label="Port"
          type="number"
          required
          min={1}
          max={65_535}
          value={draft.port}
          error={errorOf('request.sslConfig.port')}
          onChange={(port) => set({ port })}
        />
      </div>
      <TextField
        label="Warn so many days before the certificate expires"
        hint="A run then counts as degraded. Once the certificate has expired, it fails."
        type="number"
        required
        min={1}
        max={365}
        className="sm:max-w-96"
        value={draft.alertDaysBeforeExpiry}
        error={errorOf('request.sslConfig.alertDaysBeforeExpiry')}
        onChange={(alertDaysBeforeExpiry) => set({ alertDaysBeforeExpiry })}
      />
    </>
  )
}
