import { TextField } from '../../../../components/field.tsx'
import type { PartProps } from '../kind-view.ts'
import type { IcmpDraft } from './draft.ts'

export function IcmpEssential({ draft, set, errorOf }: PartProps<IcmpDraft>) {
  return (
    <TextField
      label="Host"
      hint="A name or an address."
      placeholder="gateway.example.org"
      required
      maxLength={2048}
      autoCapitalize="none"
      spellCheck={false}
      value={draft.hostname}
      error={errorOf('request.hostname')}
      onChange={(hostname) => set({ hostname })}
    />
  )
}
