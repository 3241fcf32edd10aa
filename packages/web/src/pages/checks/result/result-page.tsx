import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CheckResult, RunnableKind } from '@vedette/schema'
import { locationName } from '../../../api/location-name.ts'
import { resultQuery } from '../../../api/result.ts'
import { Icon } from '../../../components/icon.tsx'
import { Instant } from '../../../components/instant.tsx'
import { Notice } from '../../../components/notice.tsx'
import { formatMs } from '../../../components/number.ts'
import { PageHeader } from '../../../components/page-header.tsx'
import { kindOf, kinds } from '../kinds/index.ts'
import type { KindView } from '../kinds/kind-view.ts'
import { kindWords } from '../kinds/kind-words.ts'
import { LoadedOrGone } from '../loaded-or-gone.tsx'
import { VerdictPill, verdictOf } from '../verdict.tsx'
import { AttemptsSection } from './attempts-section.tsx'

export default function ResultPage({ checkId, resultId }: { checkId: string; resultId: string }) {
  const result = useQuery(resultQuery(checkId, resultId))
  return (
    <>
      <Link
        to="/checks/$checkId"
        params={{ checkId }}
        className="link mb-2 inline-flex items-center gap-1 text-[0.875rem]"
      >
        <Icon name="back" size={14} /> {result.data?.name ?? 'Check'}
      </Link>
      <LoadedOrGone query={result} noun="run">
        {(result) => <Result result={result} />}
      </LoadedOrGone>
    </>
  )
}

function Result({ result }: { result: CheckResult }) {
  const verdict = verdictOf(result)
  const kind = kindOf(result)
  return (
    <>
      <PageHeader title={`Run of ${result.name}`} heading={<>Run of {result.name}</>}>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 text-[0.875rem]">
          <VerdictPill verdict={verdict} long />
          <Instant at={result.startedAt} />
          <span>{locationName(result.runLocation)}</span>
          <span>{formatMs(result.responseTime)}</span>
          {result.resultType === 'ATTEMPT' && <span>attempt {result.attempts}, not the last word</span>}
        </div>
      </PageHeader>
      {verdict === 'error' && (
        <Notice tone="ours">
          <p className="font-semibold">
            This run could not be judged. That is our trouble and says nothing about the target.
          </p>
          {result.errorMessage && <p className="mt-1">{result.errorMessage}</p>}
        </Notice>
      )}
      {verdict !== 'error' && result.errorMessage && (
        <Notice tone={verdict === 'failed' ? 'bad' : 'warn'}>{result.errorMessage}</Notice>
      )}
      {result.overMaxResponseTime && <Notice tone="bad">It took longer than the check allows.</Notice>}
      <div className="mt-5">
        {kind ? (
          <KindResult kind={kind} result={result} />
        ) : (
          <p className="mb-5 text-soft">
            What {kindWords[result.checkType ?? 'API'].many} bring back is not shown here yet.
          </p>
        )}
        {result.attempts > 1 || result.resultType === 'ATTEMPT' ? <AttemptsSection result={result} /> : null}
      </div>
    </>
  )
}

function KindResult<K extends RunnableKind>({ kind, result }: { kind: K; result: CheckResult }) {
  const view: KindView<K> = kinds[kind]
  const detail = view.detailOf(result)
  if (detail === null) return <p className="text-soft">Nothing more is known about this run.</p>
  return <view.Result detail={detail} checkId={result.checkId} resultId={result.id} verdict={verdictOf(result)} />
}
