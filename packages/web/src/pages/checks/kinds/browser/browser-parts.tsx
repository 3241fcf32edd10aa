import { TextField } from '../../../../components/field.tsx'
import type { PartProps } from '../kind-view.ts'
import type { BrowserDraft } from '../script/draft.ts'
import { ScriptEssential } from '../script/script-essential.tsx'
import { ScriptMore } from '../script/script-more.tsx'

export function BrowserEssential(props: PartProps<BrowserDraft>) {
  return (
    <ScriptEssential
      {...props}
      hint="A Playwright test in JavaScript or TypeScript that drives Chromium through your pages."
    />
  )
}

export function BrowserMore(props: PartProps<BrowserDraft>) {
  const { draft, set, errorOf } = props
  return (
    <>
      <ScriptMore {...props} of={() => true} />
      <TextField
        label="Domain whose certificate is watched"
        hint="Looked at every hour, at port 443. Empty: none."
        placeholder="shop.example.org"
        maxLength={255}
        spellCheck={false}
        autoCapitalize="none"
        value={draft.sslCheckDomain}
        error={errorOf('sslCheckDomain')}
        onChange={(sslCheckDomain) => set({ sslCheckDomain })}
      />
    </>
  )
}
