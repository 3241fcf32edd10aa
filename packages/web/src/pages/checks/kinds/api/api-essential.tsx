import { TextField } from '../../../../components/field.tsx'
import type { PartProps } from '../kind-view.ts'

export function ApiEssential({ draft, set, errorOf }: PartProps<{ url: string }>) {
  return (
    <TextField
      label="Address"
      hint="A web page or an API. Without a scheme, https:// is put in front."
      placeholder="example.org/health"
      required
      maxLength={2048}
      inputMode="url"
      autoCapitalize="none"
      spellCheck={false}
      value={draft.url}
      error={errorOf('request.url')}
      onChange={(url) => set({ url })}
    />
  )
}
