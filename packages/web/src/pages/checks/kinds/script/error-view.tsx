import type { ScriptError } from '@vedette/schema'
import type { ReactNode } from 'react'
import { CodeFrame } from '../../../../components/code.tsx'
import { Disclosure } from '../../../../components/disclosure.tsx'

/** What was said, where, and the lines of code around it. */
export function ErrorView({ error: { message, snippet, location, stack } }: { error: ScriptError }) {
  return (
    <div className="min-w-0 space-y-2 rounded-lg border-l-3 border-bad bg-bad-soft px-3.5 py-2.5">
      <p className="font-mono text-[0.8125rem] break-words whitespace-pre-wrap">{message}</p>
      {location && (
        <p className="text-[0.8125rem] text-soft">
          at <span className="font-mono break-all">{placeWords(location)}</span>
        </p>
      )}
      {snippet && (
        <Code>
          <CodeFrame text={snippet} />
        </Code>
      )}
      {stack !== null && stack !== '' && stack !== message && (
        <Disclosure summary="Stack">
          <Code>{stack}</Code>
        </Disclosure>
      )}
    </div>
  )
}

export const placeWords = ({ file, line, column }: NonNullable<ScriptError['location']>): string =>
  `${file}:${line}:${column}`

function Code({ children }: { children: ReactNode }) {
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-md bg-surface px-3 py-2 font-mono text-[0.8125rem] leading-5"
    >
      {children}
    </pre>
  )
}
