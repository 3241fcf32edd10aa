import { GRPC_STATUSES, type GrpcCheckResult } from '@vedette/schema'
import { formatMs } from '../../../../components/number.ts'
import { Phases } from '../../../../components/phases.tsx'
import { Section } from '../../../../components/section.tsx'
import { BodyView } from '../api/body-view.tsx'
import { HeadersTable } from '../api/headers-table.tsx'
import { phasesOf } from '../api/phases-of.ts'
import { AssertionsSection } from '../assertions/assertions-section.tsx'

export const statusWords = (status: number): string => `${status} ${GRPC_STATUSES[status] ?? ''}`.trim()

/** One call: how it ended, what came back, and how long each part took. */
export function GrpcResult({ detail }: { detail: GrpcCheckResult; checkId: string }) {
  const { request, response, assertions, timingPhases, grpcStatusCode, healthStatus } = detail
  return (
    <>
      {timingPhases && (
        <Section title="Where the time went">
          <Phases
            caption="Phases of the call"
            phases={phasesOf(timingPhases)}
            totalMs={timingPhases.total}
            format={formatMs}
          />
        </Section>
      )}
      <AssertionsSection assertions={assertions} />
      <Section title="Answer" aside={grpcStatusCode !== null && statusWords(grpcStatusCode)}>
        {response === null ? (
          <p className="text-soft">No answer came.</p>
        ) : (
          <div className="space-y-5">
            {healthStatus && (
              <p>
                The service says that it is <strong>{healthStatus}</strong>.
              </p>
            )}
            {response.statusMessage !== '' && <p className="text-soft">{response.statusMessage}</p>}
            <HeadersTable title="Metadata" headers={response.metadata} />
            {response.message !== '' && <BodyView body={response.message} truncated={response.truncated} />}
          </div>
        )}
      </Section>
      <Section title="Call">
        <p className="mb-4 font-mono text-[0.8125rem] break-all">
          {request.url}:{request.port}
          {request.method}
        </p>
        <div className="space-y-5">
          <HeadersTable title="Metadata" headers={request.metadata} />
          {request.message !== '' && <BodyView body={request.message} truncated={false} />}
        </div>
      </Section>
    </>
  )
}
