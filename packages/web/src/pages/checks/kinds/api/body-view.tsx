import { useMemo } from 'react'
import { Notice } from '../../../../components/notice.tsx'
import { formatBytes } from '../../../../components/number.ts'

interface BodyViewProps {
  /** What it is called. */
  title?: string
  body: string
  truncated: boolean
}

/** A body as text; JSON is laid out for reading. */
export function BodyView({ title = 'Body', body, truncated }: BodyViewProps) {
  const text = useMemo(() => laidOut(body), [body])
  return (
    <div>
      <p className="mb-2 text-[0.875rem] font-semibold text-soft">
        {title} <span className="font-normal text-faint">({formatBytes(new TextEncoder().encode(body).length)})</span>
      </p>
      {truncated && <Notice tone="warn">More came than what is kept: this is its beginning.</Notice>}
      {body === '' ? (
        <p className="text-[0.875rem] text-soft">It is empty.</p>
      ) : (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer
          tabIndex={0}
          className="max-h-112 overflow-auto rounded-lg bg-sunken p-3.5 font-mono text-[0.8125rem] leading-5 break-words whitespace-pre-wrap"
        >
          {text}
        </pre>
      )}
    </div>
  )
}

function laidOut(body: string): string {
  if (!/^\s*[[{]/.test(body)) return body
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
