import { TextField } from '../../../../components/field.tsx'
import type { PartProps } from '../kind-view.ts'
import type { TcpDraft } from './draft.ts'

export function TcpEssential({ draft, set, errorOf }: PartProps<TcpDraft>) {
  return (
    <div className="grid gap-4 sm:grid-cols-[1fr_9rem]">
      <TextField
        label="Host"
        hint="A name or an address."
        placeholder="db.example.org"
        required
        maxLength={2048}
        autoCapitalize="none"
        spellCheck={false}
        value={draft.hostname}
        error={errorOf('request.hostname')}
        onChange={(hostname) => set({ hostname })}
      />
      <TextField
        label="Port"
        type="number"
        placeholder="5432"
        required
        min={1}
        max={65_535}
        value={draft.port}
        error={errorOf('request.port')}
        onChange={(port) => set({ port })}
      />
    </div>
  )
}
