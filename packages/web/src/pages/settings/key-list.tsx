import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import type { ApiKey } from '@vedette/schema'
import { useState } from 'react'
import { IconButton } from '../../components/button.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { Ago } from '../../components/instant.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { roleWords } from './role-words.ts'

interface KeyListProps {
  label: string
  keys: UseQueryResult<ApiKey[]>
  remove: UseMutationResult<unknown, Error, string>
}

/** The keys there are, by their last characters, each with a way to end it. */
export function KeyList({ label, keys, remove }: KeyListProps) {
  const [ending, setEnding] = useState<ApiKey | null>(null)
  return (
    <Loaded query={keys} lines={1}>
      {(keys) =>
        keys.length > 0 && (
          <>
            <ul aria-label={label} className="mt-5 divide-y divide-line border-t border-line">
              {keys.map((key) => (
                <KeyRow key={key.id} apiKey={key} onDelete={() => setEnding(key)} />
              ))}
            </ul>
            {ending && (
              <Confirm
                title="Delete this key?"
                action="Delete"
                busy={remove.isPending}
                error={remove.error}
                onClose={() => setEnding(null)}
                onConfirm={() => remove.mutate(ending.id, { onSuccess: () => setEnding(null) })}
              >
                <p>
                  Programs that use <strong className="text-ink">{ending.name}</strong> are refused from now on.
                </p>
              </Confirm>
            )}
          </>
        )
      }
    </Loaded>
  )
}

function KeyRow({ apiKey, onDelete }: { apiKey: ApiKey; onDelete: () => void }) {
  const { name, role, maskedKey, lastUsedAt, created_at } = apiKey
  return (
    <li className="flex items-center justify-between gap-4 py-2">
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-3 text-[0.875rem]">
          <span className="font-medium break-words">{name}</span>
          <code className="font-mono text-[0.8125rem] text-soft">{maskedKey}</code>
          {role !== null && <span className="text-[0.8125rem] text-soft">{roleWords[role]}</span>}
        </p>
        <p className="text-[0.8125rem] text-faint">
          made <Ago at={created_at} />,{' '}
          {lastUsedAt === null ? (
            'not used yet'
          ) : (
            <>
              last used <Ago at={lastUsedAt} />
            </>
          )}
        </p>
      </div>
      <IconButton icon="trash" label={`Delete the key ${name}`} onClick={onDelete} />
    </li>
  )
}
