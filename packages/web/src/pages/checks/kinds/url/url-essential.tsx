import { useTemplateNotes } from '../../templates/use-template-notes.ts'
import { AddressField } from '../address-field.tsx'
import type { PartProps } from '../kind-view.ts'
import type { UrlDraft } from './draft.ts'

export function UrlEssential(props: PartProps<UrlDraft>) {
  return <AddressField {...props} noteOf={useTemplateNotes(null)} />
}
