import { useTemplateNotes } from '../../templates/use-template-notes.ts'
import { AddressField } from '../address-field.tsx'
import type { PartProps } from '../kind-view.ts'
import type { ApiDraft } from './draft.ts'

export function ApiEssential(props: PartProps<ApiDraft>) {
  return <AddressField {...props} noteOf={useTemplateNotes(props.draft)} />
}
