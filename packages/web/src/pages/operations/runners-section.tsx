import type { Operations } from '@vedette/schema'
import { locationName } from '../../api/location-name.ts'
import { Empty } from '../../components/empty.tsx'
import { Ago } from '../../components/instant.tsx'
import { IsolationPill, isolationWords } from '../../components/isolation.tsx'
import { Pill } from '../../components/notice.tsx'
import { plural } from '../../components/number.ts'
import { Scroll } from '../../components/scroll.tsx'
import { Section } from '../../components/section.tsx'

type Runner = Operations['runners'][number]

export function RunnersSection({ runners }: { runners: readonly Runner[] }) {
  return (
    <Section title="Runners" flush>
      {runners.length === 0 ? (
        <Empty title="No runner has signed in">Without one nothing runs, and every run that falls due is missed.</Empty>
      ) : (
        <Scroll label="Runners">
          <table className="data-table">
            <thead>
              <tr>
                <th scope="col">Runner</th>
                <th scope="col">State</th>
                <th scope="col">Serves</th>
                <th scope="col">Scripts</th>
                <th scope="col">Controls</th>
                <th scope="col">Last seen</th>
              </tr>
            </thead>
            <tbody>
              {runners.map((runner) => (
                <tr key={runner.id}>
                  <th scope="row">
                    {runner.name}
                    <span className="block text-xs font-normal text-faint">
                      {runner.builtIn ? 'on this machine' : 'elsewhere'}
                    </span>
                  </th>
                  <td className={runner.trouble === null && runner.quarantinedSince === null ? undefined : 'min-w-44'}>
                    <RunnerState runner={runner} />
                    {runner.trouble !== null && <p className="mt-1 text-[0.8125rem] text-soft">{runner.trouble}</p>}
                    {runner.quarantinedSince !== null && (
                      <p className="mt-1 text-[0.8125rem] text-soft">
                        Since <Ago at={runner.quarantinedSince} /> its runs go elsewhere or end in error, and blame no
                        target.
                      </p>
                    )}
                  </td>
                  <td className="min-w-32">
                    {runner.locations.length > 0
                      ? runner.locations.map(locationName).join(', ')
                      : 'every data-center location that no other runner serves'}
                  </td>
                  <td className="min-w-48">
                    <IsolationPill isolation={runner.isolation} />
                    <p className="mt-1 text-[0.8125rem] text-soft">{isolationWords(runner.isolation)}</p>
                    {runner.scriptLoad !== null && (
                      <p className="mt-1 text-[0.8125rem] text-soft">{loadWords(runner.scriptLoad)}</p>
                    )}
                  </td>
                  <td className="min-w-40">
                    {runner.controls.length > 0 ? (
                      <span className="font-mono text-[0.8125rem] break-all">{runner.controls.join(', ')}</span>
                    ) : (
                      <span className="text-soft">
                        nothing: a dead network may look like dead targets. Set{' '}
                        <code className="font-mono text-[0.8125rem]">CONTROL_TARGETS</code>.
                      </span>
                    )}
                  </td>
                  <td>
                    <Ago at={runner.lastSeenAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </Section>
  )
}

function RunnerState({ runner: { alive, trouble, quarantinedSince } }: { runner: Runner }) {
  if (!alive) {
    return (
      <Pill tone="idle" icon="pause">
        Gone
      </Pill>
    )
  }
  if (quarantinedSince !== null) {
    return (
      <Pill tone="ours" icon="wrench">
        In quarantine
      </Pill>
    )
  }
  return trouble === null ? (
    <Pill tone="good" icon="check">
      Alive
    </Pill>
  ) : (
    <Pill tone="ours" icon="wrench">
      In trouble
    </Pill>
  )
}

/** What needs nobody's attention is short. */
function loadWords({ running, waiting, turnedAway }: NonNullable<Runner['scriptLoad']>): string {
  const now = `${plural(running, 'script')} with Playwright at the moment${waiting === 0 ? '' : `, ${waiting} waiting for room`}.`
  return turnedAway === 0 ? now : `${now} ${plural(turnedAway, 'run')} found no room since it began.`
}
