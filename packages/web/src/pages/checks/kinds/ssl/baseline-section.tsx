import type { SslCheckResult } from '@vedette/schema'
import { Pill } from '../../../../components/notice.tsx'
import { plural } from '../../../../components/number.ts'
import { Section } from '../../../../components/section.tsx'
import { baselineTones, ruleWords, severityWords } from './baseline-words.ts'

/** The grade, and every rule that is broken with what that does. */
export function BaselineSection({ detail }: { detail: SslCheckResult }) {
  const { response, baselineVerdict, baselineGrade, baselineFindings } = detail
  // Without a handshake nothing was judged.
  if (response === null) return null
  return (
    <Section
      title="Security baseline"
      aside={
        baselineVerdict && (
          <>
            {baselineFindings.length > 0 && <span>{plural(baselineFindings.length, 'rule')} broken</span>}
            <Pill {...baselineTones[baselineVerdict]}>Grade {baselineGrade}</Pill>
          </>
        )
      }
    >
      {baselineVerdict === null ? (
        <p className="text-soft">Not judged: the baseline of this check is switched off.</p>
      ) : baselineFindings.length === 0 ? (
        <p className="text-soft">Every rule is kept.</p>
      ) : (
        <ul className="space-y-3 text-[0.875rem]">
          {baselineFindings.map(({ rule, severity, message }) => {
            const { word, tone, icon } = severityWords[severity]
            return (
              <li key={rule} className="grid gap-x-4 gap-y-1 sm:grid-cols-[7rem_1fr]">
                <div>
                  <Pill tone={tone} icon={icon}>
                    {word}
                  </Pill>
                </div>
                <div className="min-w-0 break-words">
                  <span className="font-semibold">{ruleWords[rule].subject}</span>: {message}
                </div>
              </li>
            )
          })}
        </ul>
      )}
    </Section>
  )
}
