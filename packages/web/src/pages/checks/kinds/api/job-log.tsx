import type { ApiCheckResult } from '@vedette/schema'
import { Section } from '../../../../components/section.tsx'

const PHASES = [
  { key: 'setup', title: 'Before the request' },
  { key: 'request', title: 'Request' },
  { key: 'teardown', title: 'After the request' },
]
const COLOURS: Record<string, string> = { ERROR: 'text-bad', WARN: 'text-warn' }

/** What scripts said, in their order. */
export function JobLogSection({ log }: { log: NonNullable<ApiCheckResult['jobLog']> }) {
  const spoken = PHASES.flatMap(({ key, title }) => {
    const entries = log[key] ?? []
    return entries.length === 0 ? [] : [{ title, entries }]
  })
  return (
    <Section title="Log of the scripts">
      {spoken.length === 0 && <p className="text-[0.875rem] text-soft">The scripts said nothing.</p>}
      <div className="space-y-5">
        {spoken.map(({ title, entries }) => (
          <div key={title}>
            <h3 className="mb-1 text-[0.8125rem] text-faint">{title}</h3>
            <ol className="space-y-1 font-mono text-[0.8125rem]">
              {entries.map(({ time, level, msg }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a log does not change
                <li key={index} className="flex gap-3">
                  <time className="shrink-0 text-faint">{new Date(time).toISOString().slice(11, 23)}</time>
                  <span className={`w-12 shrink-0 ${COLOURS[level] ?? 'text-faint'}`}>{level}</span>
                  <span className="min-w-0 break-words whitespace-pre-wrap">{msg}</span>
                </li>
              ))}
            </ol>
          </div>
        ))}
      </div>
    </Section>
  )
}
