import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMayWrite } from '../../../api/may-write.ts'
import { isRefusal } from '../../../api/refusal.ts'
import { snippetQuery } from '../../../api/snippets.ts'
import { Empty } from '../../../components/empty.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { SettingsFrame } from '../settings-frame.tsx'
import { SnippetForm } from './snippet-form.tsx'

/** The form of a snippet; for readers, its text. */
export default function SnippetPage({ snippetId }: { snippetId: number }) {
  const mayWrite = useMayWrite()
  // What is being edited must not change under the hands of whoever edits it.
  const snippet = useQuery({ ...snippetQuery(snippetId), refetchOnWindowFocus: false, refetchOnReconnect: false })
  const name = snippet.data?.name ?? 'Snippet'
  if (isRefusal(snippet.error, 404) || isRefusal(snippet.error, 400)) {
    return (
      <SettingsFrame title="This snippet is not there">
        <div className="card">
          <Empty title="It was deleted, or the address is not right.">
            <Link to="/settings/snippets" className="link">
              To the snippets
            </Link>
          </Empty>
        </div>
      </SettingsFrame>
    )
  }
  return (
    <SettingsFrame title={mayWrite && snippet.data ? `Edit ${name}` : name}>
      <Loaded query={snippet}>
        {(snippet) =>
          mayWrite ? (
            <SnippetForm key={snippet.id} snippet={snippet} />
          ) : (
            <section
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached from the keyboard
              tabIndex={0}
              aria-label="Script"
              className="card overflow-x-auto p-4"
            >
              <pre className="font-mono text-[0.8125rem]">{snippet.script}</pre>
            </section>
          )
        }
      </Loaded>
    </SettingsFrame>
  )
}
