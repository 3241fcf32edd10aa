import { type SeenPage, WEB_VITALS, type WebVital } from '@vedette/schema'
import { Pill } from '../../../../components/notice.tsx'
import { formatMs } from '../../../../components/number.ts'
import { Section } from '../../../../components/section.tsx'
import { boundsWords, scores, vitals } from './vital-words.ts'

/** How each page that was opened loaded. */
export function PagesSection({ pages }: { pages: readonly SeenPage[] }) {
  if (pages.length === 0) return null
  return (
    <Section title="Web vitals of the pages">
      <div className="space-y-6">
        {pages.map((page, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a page may be opened twice
          <article key={index}>
            <h3 className="font-mono text-[0.8125rem] font-semibold break-all">{page.url}</h3>
            <p className="mb-2 text-[0.8125rem] text-faint">{loadedWords(page.pageTimings)}</p>
            <dl className="grid grid-cols-2 gap-2 sm:grid-cols-3 lg:grid-cols-5">
              {WEB_VITALS.map((vital) => (
                <Vital key={vital} vital={vital} seen={page.webVitals[vital]} />
              ))}
            </dl>
          </article>
        ))}
      </div>
    </Section>
  )
}

function Vital({ vital, seen }: { vital: WebVital; seen: SeenPage['webVitals'][WebVital] }) {
  const { name, format } = vitals[vital]
  return (
    <div className="min-w-0 rounded-lg border border-line px-3 py-2.5">
      <dt className="text-[0.8125rem] text-faint">
        <abbr title={name} className="font-semibold no-underline">
          {vital}
        </abbr>
        <span className="block text-[0.75rem]">{name}</span>
      </dt>
      {seen === null ? (
        <dd className="mt-1 text-[0.875rem] text-soft">not told</dd>
      ) : (
        <dd className="mt-1 flex flex-wrap items-center justify-between gap-x-2 gap-y-1">
          <span className="text-[1.0625rem] font-semibold">{format(seen.value)}</span>
          <Pill tone={scores[seen.score].tone} icon={scores[seen.score].icon}>
            {scores[seen.score].word}
          </Pill>
        </dd>
      )}
      <dd className="mt-1.5 text-[0.75rem] text-faint">{boundsWords(vital)}</dd>
    </div>
  )
}

function loadedWords({ onContentLoad, onLoad }: SeenPage['pageTimings']): string {
  const parts = [
    ...(onContentLoad === null ? [] : [`content loaded after ${formatMs(onContentLoad)}`]),
    ...(onLoad === null ? [] : [`all of it after ${formatMs(onLoad)}`]),
  ]
  return parts.length === 0 ? 'It did not come to its end of loading.' : `Its ${parts.join(', ')}.`
}
