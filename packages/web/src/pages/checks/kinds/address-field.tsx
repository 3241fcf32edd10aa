import { TextField } from '../../../components/field.tsx'
import type { NoteOf } from '../templates/use-template-notes.ts'
import type { PartProps } from './kind-view.ts'

export function AddressField({ draft, set, errorOf, noteOf }: PartProps<{ url: string }> & { noteOf: NoteOf }) {
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
      note={noteOf(draft.url)}
      error={errorOf('request.url')}
      onChange={(url) => set({ url })}
    />
  )
}
