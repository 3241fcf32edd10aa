import type { ApiCheckResult } from '@vedette/schema'
import { formatMs } from '../../../../components/number.ts'
import { Phases } from '../../../../components/phases.tsx'
import { Section } from '../../../../components/section.tsx'
import { AssertionsSection } from '../assertions/assertions-section.tsx'
import { SameAs } from '../same-as.tsx'
import { BodyView } from './body-view.tsx'
import { HeadersTable } from './headers-table.tsx'
import { JobLogSection } from './job-log.tsx'
import { phasesOf } from './phases-of.ts'
import { TlsSection } from './tls-section.tsx'

/** One HTTP exchange: what was asked, what came back, how long each part took, and what was expected of it. */
export function ApiResult({ detail, checkId }: { detail: ApiCheckResult; checkId: string }) {
  const { request, response, assertions, jobLog } = detail
  const answered = response.status > 0
  return (
    <>
      {response.timingPhases && (
        <Section title="Where the time went">
          <Phases
            caption="Phases of the request"
            phases={phasesOf(response.timingPhases)}
            totalMs={response.timingPhases.total}
            format={formatMs}
          />
        </Section>
      )}
      <AssertionsSection assertions={assertions} />
      {jobLog && <JobLogSection log={jobLog} />}
      <Section title="Response" aside={answered && <StatusCode response={response} />}>
        {!answered && <p className="text-soft">No answer came.</p>}
        {response.href && response.href !== request.url && (
          <p className="mb-3 text-[0.875rem] break-all">
            <span className="text-faint">Answered by, after redirects: </span>
            <span className="font-mono text-[0.8125rem]">{response.href}</span>
          </p>
        )}
        {response.sameAs && (
          <SameAs checkId={checkId} resultId={response.sameAs}>
            Body and headers are kept when they change.
          </SameAs>
        )}
        {response.kept === false ? (
          <p className="text-[0.875rem] text-soft">
            Body and headers of this passing run were not kept. They are kept when something changes, when a run fails
            and when you run the check yourself.
          </p>
        ) : (
          answered && (
            <div className="space-y-5">
              <HeadersTable title="Headers" headers={response.headers ?? {}} />
              <BodyView body={response.body} truncated={response.truncated ?? false} />
            </div>
          )
        )}
      </Section>
      {response.tls && <TlsSection details={response.tls} />}
      <Section title="Request">
        <p className="mb-4 font-mono text-[0.8125rem] break-all">
          <strong>{request.method}</strong> {request.url}
        </p>
        <div className="space-y-5">
          <HeadersTable title="Headers" headers={request.headers} />
          <HeadersTable title="Query parameters" headers={request.params} />
          {request.data !== '' && <BodyView body={request.data} truncated={false} />}
        </div>
      </Section>
    </>
  )
}

function StatusCode({ response }: { response: ApiCheckResult['response'] }) {
  const { status, statusText, httpVersion } = response
  return (
    <>
      {httpVersion && <span>{httpVersion}</span>}
      <span className="font-mono text-[0.875rem] font-semibold text-ink">
        {status} {statusText}
      </span>
    </>
  )
}
