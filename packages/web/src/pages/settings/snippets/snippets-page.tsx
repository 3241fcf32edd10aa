import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Snippet } from '@vedette/schema'
import { useState } from 'react'
import { useDeleteSnippet } from '../../../api/delete-snippet.ts'
import { useMayWrite } from '../../../api/may-write.ts'
import { snippetsQuery } from '../../../api/snippets.ts'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/confirm.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Icon } from '../../../components/icon.tsx'
import { Instant } from '../../../components/instant.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { plural } from '../../../components/number.ts'
import { Section } from '../../../components/section.tsx'
import { SettingsFrame } from '../settings-frame.tsx'

export default function SnippetsPage() {
  const snippets = useQuery(snippetsQuery)
  const mayWrite = useMayWrite()
  const [deleting, setDeleting] = useState<Snippet | null>(null)
  const add = mayWrite && (
    <Link to="/settings/snippets/new" className="button button-primary">
      <Icon name="plus" /> Add a snippet
    </Link>
  )
  return (
    <SettingsFrame
      title="Snippets"
      about={
        <p>
          Pieces of script that checks share. A check or a group runs one before or after its request, or its script
          imports it.
        </p>
      }
    >
      <Section title="Of the account" flush aside={snippets.data && snippets.data.length > 0 && add}>
        <Loaded query={snippets}>
          {(snippets) =>
            snippets.length === 0 ? (
              <Empty title="No snippet yet">
                <p className="mb-4">
                  Write what several checks do alike, such as signing in, once. A snippet of the name{' '}
                  <code>log-in</code> is imported as <code>./snippets/log-in.js</code>.
                </p>
                {add}
              </Empty>
            ) : (
              <ul aria-label="Snippets" className="divide-y divide-line">
                {snippets.map((snippet) => (
                  <SnippetRow
                    key={snippet.id}
                    snippet={snippet}
                    onDelete={mayWrite ? () => setDeleting(snippet) : null}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Section>
      {deleting && <DeleteSnippet snippet={deleting} onClose={() => setDeleting(null)} />}
    </SettingsFrame>
  )
}

/** @param onDelete null for readers */
function SnippetRow({ snippet, onDelete }: { snippet: Snippet; onDelete: (() => void) | null }) {
  const { id, name, script, created_at, updated_at } = snippet
  const to = { to: '/settings/snippets/$snippetId', params: { snippetId: String(id) } } as const
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
      <div className="min-w-0 flex-1 basis-72">
        <h3 className="font-semibold break-words">
          <Link {...to} className="hover:underline">
            {name}
          </Link>
        </h3>
        <p className="font-mono text-[0.8125rem] break-all text-soft">./snippets/{name}.js</p>
        <p className="mt-1 text-[0.8125rem] text-faint">
          {plural(script.trimEnd().split('\n').length, 'line')}, {updated_at === null ? 'added' : 'changed'}{' '}
          <Instant at={updated_at ?? created_at} />
        </p>
      </div>
      {onDelete && (
        <div className="flex gap-2">
          <Link {...to} className="button" aria-label={`Edit ${name}`}>
            <Icon name="pencil" /> Edit
          </Link>
          <Button icon="trash" look="danger" onClick={onDelete} aria-label={`Delete ${name}`}>
            Delete
          </Button>
        </div>
      )}
    </li>
  )
}

function DeleteSnippet({ snippet: { id, name }, onClose }: { snippet: Snippet; onClose: () => void }) {
  const remove = useDeleteSnippet()
  return (
    <Confirm
      title="Delete this snippet?"
      action="Delete"
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate(id, { onSuccess: onClose })}
    >
      <p>
        Scripts that import <strong className="break-all text-ink">./snippets/{name}.js</strong> fail from then on.
      </p>
    </Confirm>
  )
}
