import type { ScriptCheckResult, ScriptEngine, Verdict } from '@vedette/schema'
import { Notice } from '../../../../components/notice.tsx'
import { formatMs, plural } from '../../../../components/number.ts'
import { Section } from '../../../../components/section.tsx'
import { Fact, Facts } from '../certificate-facts.tsx'
import { LogLines, troubleIn } from '../log-lines.tsx'
import { ComparisonSection } from './comparison-section.tsx'
import { ErrorView } from './error-view.tsx'
import { FilesSection, PicturesSection } from './files-section.tsx'
import { ConsoleSection, FailedRequestsSection } from './page-trouble.tsx'
import { PagesSection } from './pages-section.tsx'
import { TestsSection } from './tests-section.tsx'

const engines: Record<ScriptEngine, string> = {
  warm: 'a process loaded ahead',
  forked: 'a process made from a loaded one',
  plain: 'Playwright’s own command',
}

interface ScriptResultProps {
  detail: ScriptCheckResult
  checkId: string
  /** Null: nothing is kept of this run. */
  resultId: string | null
  verdict: Verdict
}

/** A run of a script, whatever kind of check it was for: what went wrong first, then what it did, saw, said and left. */
export function ScriptResult({ detail, checkId, resultId, verdict }: ScriptResultProps) {
  const { status, errors, tests, degraded, leftOut, jobLog, assets } = detail
  return (
    <>
      {status === 'timedout' && (
        <Notice tone="bad" icon="slow">
          It timed out: time was up before all of it had run.
        </Notice>
      )}
      {status === 'interrupted' && (
        <Notice tone="idle">It broke off before its end. What follows was seen until then.</Notice>
      )}
      {/* A reason, if there is one, is told as that of the verdict. */}
      {degraded === '' && <Notice tone="warn">The script asked for this run to count as degraded.</Notice>}
      {leftOut && <Notice tone="idle">There was more of this run than is kept; the rest was left out.</Notice>}
      {errors.length > 0 && (
        <Section title="What went wrong" aside={plural(errors.length, 'error')}>
          <div className="space-y-3">
            {errors.map((error, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: errors do not change
              <ErrorView key={index} error={error} />
            ))}
          </div>
        </Section>
      )}
      {resultId !== null && verdict === 'failed' && <ComparisonSection checkId={checkId} resultId={resultId} />}
      <TestsSection tests={tests} assets={assets} />
      <PicturesSection assets={assets} />
      {'pages' in detail && (
        <>
          <PagesSection pages={detail.pages} />
          <ConsoleSection messages={detail.console} />
          <FailedRequestsSection requests={detail.failedRequests} />
        </>
      )}
      {jobLog !== null && jobLog.length > 0 && (
        <Section title="Log of the script" aside={troubleIn(jobLog)}>
          <LogLines label="Log of the script" entries={jobLog} />
        </Section>
      )}
      <FilesSection assets={assets} />
      <RunFacts detail={detail} />
    </>
  )
}

function RunFacts({ detail: { runtime, startTime, endTime, status } }: { detail: ScriptCheckResult }) {
  return (
    <Section title="How it was run">
      <Facts>
        <Fact name="Took">
          {formatMs(endTime - startTime)}
          {status === 'timedout' && ', and was ended at its time limit'}
        </Fact>
        <Fact name="Runtime">{runtime.id}</Fact>
        <Fact name="Node.js">{runtime.node}</Fact>
        <Fact name="Playwright">{runtime.playwright}</Fact>
        {runtime.browser !== null && <Fact name="Browser">{runtime.browser}</Fact>}
        <Fact name="Engine">
          {runtime.engine}: {engines[runtime.engine]}
        </Fact>
      </Facts>
    </Section>
  )
}
