import type { PartProps } from '../kind-view.ts'
import type { MultiStepDraft } from '../script/draft.ts'
import { ScriptEssential } from '../script/script-essential.tsx'
import { ScriptMore } from '../script/script-more.tsx'

export function MultiStepEssential(props: PartProps<MultiStepDraft>) {
  return (
    <ScriptEssential
      {...props}
      hint="A Playwright test in JavaScript or TypeScript that makes requests; it has no browser."
    />
  )
}

export function MultiStepMore(props: PartProps<MultiStepDraft>) {
  return <ScriptMore {...props} of={({ multiStepSupport }) => multiStepSupport} />
}
