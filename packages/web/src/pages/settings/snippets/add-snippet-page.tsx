import { SettingsFrame } from '../settings-frame.tsx'
import { SnippetForm } from './snippet-form.tsx'

export default function AddSnippetPage() {
  return (
    <SettingsFrame title="Add a snippet">
      <SnippetForm snippet={null} />
    </SettingsFrame>
  )
}
