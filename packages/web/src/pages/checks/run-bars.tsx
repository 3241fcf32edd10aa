import { useNavigate } from '@tanstack/react-router'
import { type RunMark, VERDICTS } from '@vedette/schema'
import { locationName } from '../../api/location-name.ts'
import { Bars } from '../../components/bars.tsx'
import { formatShort } from '../../components/instant.tsx'
import { formatMs } from '../../components/number.ts'
import { verdicts } from './verdict.tsx'

const PLACES = 30

/** The newest runs of a check; a bar leads to its result. */
export function RunBars({ checkId, runs }: { checkId: string; runs: readonly RunMark[] }) {
  const navigate = useNavigate()
  return (
    <Bars
      places={PLACES}
      label={inWords(runs.slice(-PLACES))}
      onPick={(resultId) => void navigate({ to: '/checks/$checkId/results/$resultId', params: { checkId, resultId } })}
      bars={runs.map(({ id, verdict, responseTime, startedAt, location }) => ({
        id,
        shape: verdicts[verdict].shape,
        tone: verdicts[verdict].tone,
        value: responseTime,
        tip: `${formatShort(startedAt)} · ${verdicts[verdict].word} · ${formatMs(responseTime)} · ${locationName(location)}`,
      }))}
    />
  )
}

function inWords(runs: readonly RunMark[]): string {
  const newest = runs.at(-1)
  if (!newest) return 'No runs yet'
  const counts = VERDICTS.map((verdict) => ({ verdict, count: runs.filter((run) => run.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => `${count} ${verdicts[verdict].word.toLowerCase()}`)
  const last = `${verdicts[newest.verdict].word.toLowerCase()} in ${formatMs(newest.responseTime)}`
  return `Last ${runs.length} runs: ${counts.join(', ')}. Newest: ${last}.`
}
