/** How verdicts and states look and read: an icon, a word and a colour each, and a shape in charts. */
import type { Acknowledgement, CheckOverview, CheckResult, Verdict } from '@vedette/schema'
import type { ListedState } from '../../api/overviews.ts'
import type { BarShape } from '../../components/bars.tsx'
import type { IconName } from '../../components/icon.tsx'
import { Lasting } from '../../components/instant.tsx'
import { Pill, type Tone } from '../../components/notice.tsx'

export type State = CheckOverview['state']

export const verdicts: Record<Verdict, { word: string; long: string; tone: Tone; icon: IconName; shape: BarShape }> = {
  passed: { word: 'Passed', long: 'Passed', tone: 'good', icon: 'check', shape: 'solid' },
  degraded: { word: 'Degraded', long: 'Degraded: not as good as wished', tone: 'warn', icon: 'slow', shape: 'striped' },
  failed: { word: 'Failed', long: 'Failed', tone: 'bad', icon: 'cross', shape: 'split' },
  error: {
    word: 'In error',
    long: 'In error: our trouble, not the target’s',
    tone: 'ours',
    icon: 'wrench',
    shape: 'hollow',
  },
}

const states: Record<State, { word: string; tone: Tone; icon: IconName }> = {
  passing: { word: 'Passing', tone: 'good', icon: 'check' },
  degraded: { word: 'Degraded', tone: 'warn', icon: 'slow' },
  failing: { word: 'Failing', tone: 'bad', icon: 'cross' },
  unknown: { word: 'No verdict', tone: 'idle', icon: 'question' },
}

/** As the list sorts them: a paused check is paused, whatever its state was. */
export const listedStates: Record<ListedState, { word: string; tone: Tone; icon: IconName }> = {
  ...states,
  paused: { word: 'Paused', tone: 'idle', icon: 'pause' },
}

export function verdictOf(result: Pick<CheckResult, 'hasErrors' | 'hasFailures' | 'isDegraded'>): Verdict {
  if (result.hasErrors) return 'error'
  if (result.hasFailures) return 'failed'
  return result.isDegraded ? 'degraded' : 'passed'
}

export function VerdictPill({ verdict, long = false }: { verdict: Verdict; long?: boolean }) {
  const { word, long: words, tone, icon } = verdicts[verdict]
  return (
    <Pill tone={tone} icon={icon}>
      {long ? words : word}
    </Pill>
  )
}

export function StatePill({ state, activated }: { state: State; activated: boolean }) {
  const { word, tone, icon } = listedStates[activated ? state : 'paused']
  return (
    <Pill tone={tone} icon={icon}>
      {word}
    </Pill>
  )
}

/** How long it has been passing, or not: degraded and failing in turn is one and the same trouble. */
export function Episode({ state, since }: { state: State; since: string }) {
  return (
    <>
      {state === 'passing' ? 'for' : 'in trouble for'} <Lasting since={since} />
    </>
  )
}

/** Trouble of the monitor's own stands beside the state of the target and never replaces it. */
export function OurTroublePill() {
  return (
    <Pill tone="ours" icon="wrench" title="The latest run could not be judged. That says nothing about the target.">
      Our trouble
    </Pill>
  )
}

export function AcknowledgedPill({ acknowledgement: { by, note } }: { acknowledgement: Acknowledgement }) {
  return (
    <Pill tone="idle" icon="check" title={note === null ? `By ${by}.` : `By ${by}: ${note}`}>
      Acknowledged
    </Pill>
  )
}

export function MutedPill() {
  return (
    <Pill tone="idle" icon="mute" title="Runs go on, notifications are held back.">
      Muted
    </Pill>
  )
}
