import { TextField } from '../../../../components/field.tsx'
import { KeyValues } from '../../../../components/key-values.tsx'
import type { NoteOf } from '../../templates/use-template-notes.ts'
import type { PartProps } from '../kind-view.ts'
import type { ApiDraft } from './draft.ts'

type Extras = Pick<ApiDraft, 'headers' | 'queryParameters' | 'username' | 'password'>

interface RequestExtrasProps extends Omit<PartProps<Extras>, 'errorOf'> {
  noteOf: NoteOf
}

/** What goes with a request, of one check or of all in a group. */
export function RequestExtras({ draft, set, noteOf }: RequestExtrasProps) {
  return (
    <>
      <KeyValues
        legend="Headers"
        noun="header"
        items={draft.headers}
        noteOf={noteOf}
        onChange={(headers) => set({ headers })}
      />
      <KeyValues
        legend="Query parameters"
        noun="query parameter"
        items={draft.queryParameters}
        noteOf={noteOf}
        onChange={(queryParameters) => set({ queryParameters })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="User name (basic auth)"
          value={draft.username}
          note={noteOf(draft.username)}
          onChange={(username) => set({ username })}
        />
        <TextField
          label="Password (basic auth)"
          type="password"
          autoComplete="new-password"
          value={draft.password}
          note={noteOf(draft.password, true)}
          onChange={(password) => set({ password })}
        />
      </div>
    </>
  )
}
