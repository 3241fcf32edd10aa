import type { TcpCheckResult } from '@vedette/schema'
import { formatMs } from '../../../../components/number.ts'
import { type Phase, Phases } from '../../../../components/phases.tsx'
import { Section } from '../../../../components/section.tsx'
import { BodyView } from '../api/body-view.tsx'
import { AssertionsSection } from '../assertions/assertions-section.tsx'
import { SameAs } from '../same-as.tsx'

/** One connection: how long each part took, what was said, and what was expected of it. */
export function TcpResult({ detail, checkId }: { detail: TcpCheckResult; checkId: string }) {
  const { request, response, assertions, requestError } = detail
  const { timingPhases, resolvedIp } = response
  const listened = request.data !== null || response.data !== ''
  return (
    <>
      {timingPhases && (
        <Section title="Where the time went">
          <Phases
            caption="Phases of the connection"
            phases={phasesOf(timingPhases)}
            totalMs={timingPhases.total}
            format={formatMs}
          />
        </Section>
      )}
      <AssertionsSection assertions={assertions} />
      <Section
        title="Response"
        aside={resolvedIp && <span className="font-mono text-[0.8125rem] break-all">from {resolvedIp}</span>}
      >
        {requestError !== null && <p className="text-soft">No answer came.</p>}
        {response.sameAs && (
          <SameAs checkId={checkId} resultId={response.sameAs}>
            Data is kept when it changes.
          </SameAs>
        )}
        {response.kept === false ? (
          <p className="text-[0.875rem] text-soft">
            The data of this passing run was not kept. It is kept when it changes, when a run fails and when you run the
            check yourself.
          </p>
        ) : (
          requestError === null &&
          (listened ? (
            <BodyView title="Data" body={response.data} truncated={response.truncated} />
          ) : (
            <p className="text-soft">The connection was made; nothing was asked or expected over it.</p>
          ))
        )}
      </Section>
      <Section title="Request">
        <p className="font-mono text-[0.8125rem] break-all">
          {request.hostname}:{request.port}
          <span className="ml-3 font-sans text-faint">
            {request.ipFamily}
            {request.tls && ', TLS'}
          </span>
        </p>
        {request.data !== null && (
          <div className="mt-5">
            <BodyView title="Sent" body={request.data} truncated={false} />
          </div>
        )}
      </Section>
    </>
  )
}

const parts = [
  { key: 'dns', name: 'DNS', explanation: 'Looking up the name' },
  { key: 'connection', name: 'Connect', explanation: 'Connecting, with the TLS handshake' },
  { key: 'data', name: 'Data', explanation: 'From sending to the last byte that came' },
] as const

function phasesOf(timings: NonNullable<TcpCheckResult['response']['timingPhases']>): Phase[] {
  let startMs = 0
  return parts.map(({ key, name, explanation }) => {
    const phase = { name, explanation, startMs, ms: timings[key] }
    startMs += phase.ms
    return phase
  })
}
