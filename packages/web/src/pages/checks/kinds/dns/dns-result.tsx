import { Link } from '@tanstack/react-router'
import type { DnsAnswerRecord, DnsCheckResult, DnsJsonAnswer } from '@vedette/schema'
import { Disclosure } from '../../../../components/disclosure.tsx'
import { Notice } from '../../../../components/notice.tsx'
import { formatMs } from '../../../../components/number.ts'
import { Scroll } from '../../../../components/scroll.tsx'
import { Section } from '../../../../components/section.tsx'
import { AssertionsSection } from '../assertions/assertions-section.tsx'

/** One question to a name server: what was asked, what it answered, and what was expected of it. */
export function DnsResult({ detail, checkId }: { detail: DnsCheckResult; checkId: string }) {
  const { request, response, assertions } = detail
  const { json } = response
  return (
    <>
      <AssertionsSection assertions={assertions} />
      <Section
        title="Answer"
        aside={
          response.status !== '' && (
            <span className="font-mono text-[0.875rem] font-semibold text-ink">{response.status}</span>
          )
        }
      >
        {response.sameAs && (
          <Notice tone="idle" icon="copy">
            Answers are kept when they change. This one was the same as{' '}
            <Link
              to="/checks/$checkId/results/$resultId"
              params={{ checkId, resultId: response.sameAs }}
              className="link"
            >
              that of an earlier run
            </Link>
            , which is shown here.
          </Notice>
        )}
        {response.truncated && (
          <Notice tone="warn">The answer was longer than what is kept: this is its beginning.</Notice>
        )}
        {response.kept === false ? (
          <p className="text-[0.875rem] text-soft">
            The answer of this passing run was not kept. Answers are kept when they change, when a run fails and when
            you run the check yourself.
          </p>
        ) : json === null ? (
          <p className="text-soft">No answer came.</p>
        ) : (
          <div className="space-y-5">
            <Records title="Records" records={json.Answer} />
            {json.Authority.length > 0 && (
              <div>
                <p className="mb-2 text-[0.875rem] font-semibold text-soft">Authority</p>
                <Records title="Authority" records={json.Authority} />
              </div>
            )}
            <p className="text-[0.875rem] text-soft">{remarksOn(json).join(' ')}</p>
            <Disclosure summary="As text">
              <pre
                // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer
                tabIndex={0}
                className="max-h-112 overflow-auto rounded-lg bg-sunken p-3.5 font-mono text-[0.8125rem] leading-5"
              >
                {response.text}
              </pre>
            </Disclosure>
          </div>
        )}
      </Section>
      <Section title="Question">
        <p className="font-mono text-[0.8125rem] break-all">
          <strong>{request.recordType}</strong> {request.query}
        </p>
        <p className="mt-2 text-[0.875rem] text-soft">{askedWords(detail)}</p>
      </Section>
    </>
  )
}

function Records({ title, records }: { title: string; records: readonly DnsAnswerRecord[] }) {
  if (records.length === 0) return <p className="text-[0.875rem] text-soft">The answer has no records.</p>
  return (
    <Scroll label={title}>
      <table className="data-table data-table-inset">
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" className="sm:w-24">
              Type
            </th>
            <th scope="col" className="text-right sm:w-24">
              TTL
            </th>
            <th scope="col" className="sm:w-1/2">
              Data
            </th>
          </tr>
        </thead>
        <tbody className="font-mono text-[0.8125rem]">
          {records.map((record, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same record may stand there twice, and none ever moves
            <tr key={index}>
              <td className="min-w-32 break-all">{record.name}</td>
              <td>{record.type}</td>
              <td className="text-right tabular-nums">{record.TTL}</td>
              <td className="min-w-40 break-all">{record.data}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function remarksOn({ AA, AD, TC, RRSIG }: DnsJsonAnswer): string[] {
  return [
    AA ? 'The name server is responsible for the name.' : 'The name server has it from others.',
    AD
      ? 'Signed, and the name server has checked the signatures (DNSSEC).'
      : RRSIG
        ? 'Signed (DNSSEC), but the name server did not say that it checked the signatures.'
        : 'Not signed (DNSSEC).',
    ...(TC ? ['The answer was cut to fit into a datagram.'] : []),
  ]
}

const protocols: Record<DnsCheckResult['request']['protocol'], string> = {
  UDP: 'by UDP',
  TCP: 'by TCP',
  DOT: 'over TLS',
  DOH: 'over HTTPS',
}

function askedWords({ request, response }: DnsCheckResult): string {
  const { nameServer, port, protocol } = request
  const whom = nameServer === null ? 'the name servers of the runner' : `${nameServer}, port ${port}`
  const time = response.timingPhases === null ? '' : `, answered in ${formatMs(response.timingPhases.total)}`
  return `Asked of ${whom}, ${protocols[protocol]}${time}.`
}
