import { useQuery } from '@tanstack/react-query'
import type { AlertReplay, AlertSettings } from '@vedette/schema'
import { type FormEvent, useState } from 'react'
import { effectiveQuery } from '../../../api/effective.ts'
import { useReplayAlerts } from '../../../api/replay-alerts.ts'
import { Button } from '../../../components/button.tsx'
import { Choice } from '../../../components/choice.tsx'
import { Instant } from '../../../components/instant.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Notice } from '../../../components/notice.tsx'
import { plural } from '../../../components/number.ts'
import { Pager } from '../../../components/pager.tsx'
import { Scroll } from '../../../components/scroll.tsx'
import { Section } from '../../../components/section.tsx'
import { alertWords } from '../alert-words.ts'
import { AlertSettingsFields } from '../form/alert-settings-fields.tsx'
import { alertName, isSame, type ReplayedAlert, replayWords, sideBySide } from './alert-replay.ts'

const WINDOWS = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
] as const
const ROWS_PER_PAGE = 20

/** What other alert settings would have made of the check’s past. */
export function AlertReplaySection({ checkId }: { checkId: string }) {
  const settings = useQuery(effectiveQuery(checkId))
  return (
    <Section title="Try alert settings on the past">
      <Loaded query={settings}>{({ alertSettings }) => <Trial checkId={checkId} live={alertSettings.value} />}</Loaded>
    </Section>
  )
}

function Trial({ checkId, live }: { checkId: string; live: AlertSettings }) {
  const [draft, setDraft] = useState<AlertSettings | null>(null)
  const [days, setDays] = useState<(typeof WINDOWS)[number]['value']>('7')
  const replay = useReplayAlerts(checkId)
  const alertSettings = draft ?? live
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!replay.isPending) replay.mutate({ alertSettings, days: Number(days) })
  }
  return (
    <>
      <form onSubmit={submit} className="space-y-4">
        <p className="text-[0.875rem] text-soft">
          In force: an alert {alertWords(live)}. Nothing is sent or changed by trying others.
        </p>
        <AlertSettingsFields settings={alertSettings} onChange={setDraft} />
        <div className="flex flex-wrap items-center gap-3">
          <Choice label="Past" value={days} options={WINDOWS} onChange={setDays} />
          <Button type="submit" look="primary" busy={replay.isPending}>
            Try
          </Button>
          {draft && !isSame(draft, live) && <Button onClick={() => setDraft(null)}>Back to those in force</Button>}
        </div>
      </form>
      {replay.error && <Notice tone="bad">{replay.error.message}</Notice>}
      {replay.data && (
        <Outcome
          key={replay.submittedAt}
          replay={replay.data.replay}
          tried={replay.data.alertSettings}
          days={replay.data.days}
          live={live}
        />
      )}
    </>
  )
}

interface OutcomeProps {
  replay: AlertReplay
  tried: AlertSettings
  days: number
  live: AlertSettings
}

function Outcome({ replay, tried, days, live }: OutcomeProps) {
  const [page, setPage] = useState(1)
  const same = isSame(tried, live)
  const rows = sideBySide(replay.live.alerts, replay.draft.alerts)
  const shown = rows.slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE)
  const unlisted =
    Math.max(replay.live.count, replay.draft.count) > Math.max(replay.live.alerts.length, replay.draft.alerts.length)
  return (
    <div className="mt-4 border-t border-line pt-4">
      <div role="status">
        <p className="font-medium">
          {same
            ? `These are the settings in force: they send ${replay.live.count === 0 ? 'no alerts' : plural(replay.live.count, 'alert')}.`
            : replayWords(replay)}
        </p>
        <p className="mt-1 text-[0.8125rem] text-faint">
          {plural(replay.runs, 'run')} of the last {days} days, with an alert {alertWords(tried)}
          {same
            ? '. People were told the same, unless settings were changed, the check was muted or maintenance held a reminder.'
            : '; as if nothing had been muted or in maintenance.'}
        </p>
      </div>
      {rows.length > 0 && (
        <Scroll label="Alerts by both settings">
          <table className="mt-3 w-full text-left text-[0.875rem]">
            <thead className="text-[0.8125rem] text-faint">
              <tr className="border-b border-line">
                <th scope="col" className="py-2 pr-4 font-semibold">
                  At
                </th>
                <th scope="col" className="py-2 pr-4 font-semibold">
                  In force ({replay.live.count})
                </th>
                <th scope="col" className="py-2 font-semibold">
                  Tried ({replay.draft.count})
                </th>
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {shown.map((row) => (
                <tr key={`${row.at} ${row.live?.reminder} ${row.draft?.reminder}`}>
                  <td className="py-2 pr-4 align-top text-soft">
                    <Instant at={row.at} />
                  </td>
                  <Told alert={row.live} />
                  <Told alert={row.draft} />
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      <Pager page={page} perPage={ROWS_PER_PAGE} total={rows.length} onPage={setPage} />
      {unlisted && <p className="mt-2 text-[0.8125rem] text-faint">Only the first of each are listed.</p>}
    </div>
  )
}

function Told({ alert }: { alert: ReplayedAlert | null }) {
  return (
    <td className={`py-2 pr-4 align-top ${alert?.reminder === 0 ? 'font-medium' : 'text-soft'}`}>
      {alert === null ? <span className="text-faint">–</span> : alertName(alert)}
    </td>
  )
}
