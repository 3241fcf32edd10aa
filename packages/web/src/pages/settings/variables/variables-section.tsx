import { useQuery } from '@tanstack/react-query'
import type { Variable } from '@vedette/schema'
import { type ReactNode, useState } from 'react'
import { useDeleteVariable } from '../../../api/delete-variable.ts'
import { useMayWrite } from '../../../api/may-write.ts'
import { variablesQuery } from '../../../api/variables.ts'
import { visibilityOf, visibilityWords } from '../../../api/visibility.ts'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/confirm.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Pill } from '../../../components/notice.tsx'
import { Section } from '../../../components/section.tsx'
import { VariableDialog } from './variable-dialog.tsx'

type Open = { kind: 'add' } | { kind: 'edit' | 'delete'; variable: Variable } | null

export function VariablesSection() {
  const variables = useQuery(variablesQuery)
  const mayWrite = useMayWrite()
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const add = mayWrite && (
    <Button icon="plus" look="primary" onClick={() => setOpen({ kind: 'add' })}>
      Add a variable
    </Button>
  )
  return (
    <Section title="Of the account" flush aside={variables.data && variables.data.length > 0 && add}>
      <Loaded query={variables}>
        {(variables) =>
          variables.length === 0 ? (
            <Empty title="No variable yet">
              <p className="mb-4">
                Keep a host name, a user or a token here once. Checks name it, and when it changes you change it in one
                place.
              </p>
              {add}
            </Empty>
          ) : (
            <ul aria-label="Variables" className="divide-y divide-line">
              {variables.map((variable) => (
                <VariableRow
                  key={variable.key}
                  variable={variable}
                  mayWrite={mayWrite}
                  onEdit={() => setOpen({ kind: 'edit', variable })}
                  onDelete={() => setOpen({ kind: 'delete', variable })}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {open?.kind === 'add' && <VariableDialog variable={null} onClose={close} />}
      {open?.kind === 'edit' && <VariableDialog variable={open.variable} onClose={close} />}
      {open?.kind === 'delete' && <DeleteVariable variable={open.variable} onClose={close} />}
    </Section>
  )
}

interface VariableRowProps {
  variable: Variable
  mayWrite: boolean
  onEdit: () => void
  onDelete: () => void
}

function VariableRow({ variable, mayWrite, onEdit, onDelete }: VariableRowProps) {
  const { key } = variable
  const visibility = visibilityOf(variable)
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
      <div className="min-w-0 flex-1 basis-72">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="font-mono text-[0.875rem] font-semibold break-all">{key}</h3>
          {visibility !== 'plain' && (
            <Pill tone="idle" icon="key" title={visibilityWords[visibility].about}>
              {visibilityWords[visibility].label}
            </Pill>
          )}
        </div>
        <Value variable={variable} mayWrite={mayWrite} />
      </div>
      {mayWrite && (
        <div className="flex gap-2">
          <Button icon="pencil" onClick={onEdit} aria-label={`Edit ${key}`}>
            Edit
          </Button>
          <Button icon="trash" look="danger" onClick={onDelete} aria-label={`Delete ${key}`}>
            Delete
          </Button>
        </div>
      )}
    </li>
  )
}

/** A locked value is on the screen only when it is asked for: somebody may stand behind. */
function Value({ variable, mayWrite }: { variable: Variable; mayWrite: boolean }) {
  const [shown, setShown] = useState(false)
  const visibility = visibilityOf(variable)
  if (visibility === 'secret') return <Words>Its value is never shown again.</Words>
  if (visibility === 'locked' && !mayWrite) return <Words>Shown to those who may change settings.</Words>
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-3">
      {(visibility === 'plain' || shown) && (
        <p className="line-clamp-3 min-w-0 font-mono text-[0.8125rem] break-all whitespace-pre-wrap text-soft">
          {variable.value}
        </p>
      )}
      {visibility === 'locked' && (
        <button type="button" className="link text-[0.8125rem]" onClick={() => setShown(!shown)}>
          {shown ? 'Hide' : 'Show'} <span className="sr-only">the value of {variable.key}</span>
        </button>
      )}
    </div>
  )
}

const Words = ({ children }: { children: ReactNode }) => <p className="mt-1 text-[0.8125rem] text-faint">{children}</p>

function DeleteVariable({ variable: { key }, onClose }: { variable: Variable; onClose: () => void }) {
  const remove = useDeleteVariable()
  return (
    <Confirm
      title="Delete this variable?"
      action="Delete"
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate(key, { onSuccess: onClose })}
    >
      <p>
        Requests and scripts that name <code className="break-all text-ink">{key}</code> find nothing in its place.
      </p>
    </Confirm>
  )
}
