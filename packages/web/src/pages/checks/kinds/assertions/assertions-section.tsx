import type { AssertionOutcome } from '@vedette/schema'
import { Pill } from '../../../../components/notice.tsx'
import { plural } from '../../../../components/number.ts'
import { Scroll } from '../../../../components/scroll.tsx'
import { Section } from '../../../../components/section.tsx'
import { comparisonWords, sourceWords, targetWords } from './words.ts'

/** What was expected and what was found, side by side. */
export function AssertionsSection({ assertions }: { assertions: readonly AssertionOutcome[] }) {
  if (assertions.length === 0) return null
  const broken = assertions.filter(({ error }) => error !== null).length
  return (
    <Section
      title="Assertions"
      flush
      aside={broken === 0 ? 'all held' : `${plural(broken, 'assertion')} of ${assertions.length} did not hold`}
    >
      <Scroll label="Assertions">
        <table className="data-table">
          <thead>
            <tr>
              <th scope="col">Outcome</th>
              <th scope="col" className="sm:w-2/5">
                Expected
              </th>
              <th scope="col" className="hidden sm:table-cell sm:w-1/2">
                Found
              </th>
            </tr>
          </thead>
          <tbody>
            {assertions.map((assertion, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same assertion may stand there twice, and none ever moves
              <tr key={index}>
                <td>
                  {assertion.error === null ? (
                    <Pill tone="good" icon="check">
                      Held
                    </Pill>
                  ) : (
                    <Pill tone="bad" icon="cross">
                      Broken
                    </Pill>
                  )}
                </td>
                <td>
                  {sourceWords(assertion.source, assertion.property)}{' '}
                  <span className="text-soft">{comparisonWords(assertion.comparison)}</span>{' '}
                  <code className="font-mono text-[0.8125rem] font-semibold">
                    {targetWords(assertion.comparison, assertion.target)}
                  </code>
                  {assertion.regex ? (
                    <span className="block text-xs text-faint">matched by {assertion.regex}</span>
                  ) : null}
                  <div className="mt-1.5 sm:hidden">
                    <Found assertion={assertion} />
                  </div>
                </td>
                <td className="hidden sm:table-cell">
                  <Found assertion={assertion} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Section>
  )
}

/** On a narrow screen it stands below what was expected. */
function Found({ assertion: { actual, error } }: { assertion: AssertionOutcome }) {
  return (
    <>
      <span className="text-[0.8125rem] text-faint sm:hidden">Found </span>
      <code className="font-mono text-[0.8125rem] break-all">{inShort(actual)}</code>
      {error !== null && <p className="mt-1 text-[0.8125rem] text-bad">{error}</p>}
    </>
  )
}

/** The whole body stands below, under “Response”. */
const LONGEST = 160

function inShort(actual: unknown): string {
  const text = typeof actual === 'string' ? actual : (JSON.stringify(actual) ?? 'nothing')
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
