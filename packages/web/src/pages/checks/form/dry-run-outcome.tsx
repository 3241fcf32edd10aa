import type { CheckGroup, DryRun, RunnableKind } from '@vedette/schema'
import { type ReactNode, useEffect, useRef } from 'react'
import { locationName } from '../../../api/location-name.ts'
import { Notice, type Tone } from '../../../components/notice.tsx'
import { formatMs } from '../../../components/number.ts'
import { Section } from '../../../components/section.tsx'
import { Origin } from '../check/origin.tsx'
import { kinds } from '../kinds/index.ts'
import type { KindView } from '../kinds/kind-view.ts'
import { VerdictPill, verdicts } from '../verdict.tsx'
import { decidedBy, sentence, settingsInWords } from './dry-run-words.ts'

interface DryRunOutcomeProps<K extends RunnableKind> {
  kind: K
  outcome: DryRun
  group: CheckGroup | undefined
  /** Whether the form has been changed since. */
  isOld: boolean
}

/** What came of a run of the form as it stands: the verdict, why, what would follow, and the result as a check keeps it. */
export function DryRunOutcome<K extends RunnableKind>({ kind, outcome, group, isOld }: DryRunOutcomeProps<K>) {
  const view: KindView<K> = kinds[kind]
  const { verdict, decision, retry, alert, result, settings } = outcome
  const detail = view.detailOf(result)
  const tone: Tone = verdicts[verdict].tone
  const top = useRef<HTMLDivElement>(null)
  // Only as far as it takes to see the verdict and the reasons.
  useEffect(() => {
    top.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <>
      <div ref={top} className="mt-5 scroll-mt-20 scroll-mb-20">
        <Section
          title="Outcome of the run"
          aside={
            <>
              <VerdictPill verdict={verdict} />
              <span>{locationName(outcome.runLocation)}</span>
              <span>{formatMs(result.responseTime)}</span>
            </>
          }
        >
          {isOld && <Notice tone="idle">You have changed the form since this run.</Notice>}
          <Notice tone={tone}>{sentence(decision.reason)}</Notice>
          <dl className="grid gap-x-8 gap-y-3 text-[0.875rem] sm:grid-cols-3">
            <Fact name="Decided by">{sentence(decidedBy(decision))}</Fact>
            <Fact name="Another try">{retry.reason}</Fact>
            <Fact name="Alert">{alert.reason}</Fact>
          </dl>
          <h3 className="mt-5 mb-2 text-[0.8125rem] font-semibold">Settings in force</h3>
          <dl className="grid gap-x-8 gap-y-3 text-[0.875rem] sm:grid-cols-3">
            {settingsInWords(settings).map(({ name, value, from }) => (
              <Fact key={name} name={name}>
                {value} <Origin from={from} group={group} />
              </Fact>
            ))}
          </dl>
          <p className="mt-4 text-[0.8125rem] text-soft">
            Nothing of this run is kept: it is in no chart, moves no state and tells nobody.
          </p>
        </Section>
      </div>
      {detail === null ? null : (
        <view.Result detail={detail} checkId={result.checkId} resultId={null} verdict={verdict} />
      )}
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-[0.8125rem] text-faint">{name}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  )
}
