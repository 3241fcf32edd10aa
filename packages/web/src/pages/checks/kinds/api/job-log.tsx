import type { ApiCheckResult } from '@vedette/schema'
import { Section } from '../../../../components/section.tsx'
import { LogLines, troubleIn } from '../log-lines.tsx'

const PHASES = [
  { key: 'setup', title: 'Before the request' },
  { key: 'request', title: 'Request' },
  { key: 'teardown', title: 'After the request' },
]

/** What scripts said, in their order. */
export function JobLogSection({ log }: { log: NonNullable<ApiCheckResult['jobLog']> }) {
  const spoken = PHASES.flatMap(({ key, title }) => {
    const entries = log[key] ?? []
    return entries.length === 0 ? [] : [{ title, entries }]
  })
  return (
    <Section title="Log of the scripts" aside={troubleIn(spoken.flatMap(({ entries }) => entries))}>
      {spoken.length === 0 && <p className="text-[0.875rem] text-soft">The scripts said nothing.</p>}
      <div className="space-y-5">
        {spoken.map(({ title, entries }) => (
          <div key={title}>
            <h3 className="mb-1 text-[0.8125rem] text-faint">{title}</h3>
            <LogLines label={`Log: ${title}`} entries={entries} />
          </div>
        ))}
      </div>
    </Section>
  )
}
