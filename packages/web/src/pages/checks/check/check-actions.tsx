import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Check, CheckOverview } from '@vedette/schema'
import { useState } from 'react'
import { useDeleteCheck } from '../../../api/delete-check.ts'
import { useRunCheck } from '../../../api/run-check.ts'
import { useSwitchCheck } from '../../../api/switch-check.ts'
import { announce } from '../../../components/announcer.tsx'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/confirm.tsx'
import { Icon } from '../../../components/icon.tsx'
import { Notice } from '../../../components/notice.tsx'
import { formKind, whyNotRun } from '../kinds/kind-words.ts'

interface CheckActionsProps {
  overview: CheckOverview
  /** As it was set up, apart from its group; absent while it is on its way. */
  check: Check | undefined
}

export function CheckActions({ overview, check }: CheckActionsProps) {
  const { id, name, checkType } = overview
  // The buttons switch the check itself: what its group says is switched there.
  const { activated, muted } = check ?? overview
  const notRun = whyNotRun(checkType)
  const navigate = useNavigate()
  const run = useRunCheck()
  const switching = useSwitchCheck(id)
  const [deleting, setDeleting] = useState(false)
  const error = run.error ?? switching.error

  const runNow = () =>
    run.mutate(id, {
      onSuccess: ({ sessions: [session] }) => {
        announce('The run has started')
        if (!session) return
        void navigate({
          to: '/checks/$checkId/check-sessions/$sessionId',
          params: { checkId: id, sessionId: session.checkSessionId },
        })
      },
    })

  return (
    <>
      {notRun === null && (
        <Button
          icon="play"
          look="primary"
          busy={run.isPending}
          disabled={!overview.activated}
          title={overview.activated ? undefined : 'A paused check does not run.'}
          onClick={runNow}
        >
          Run now
        </Button>
      )}
      {formKind(checkType) !== undefined && (
        <Link to="/checks/$checkId/edit" params={{ checkId: id }} className="button">
          <Icon name="pencil" /> Edit
        </Link>
      )}
      <Button
        icon={activated ? 'pause' : 'play'}
        busy={switching.isPending}
        onClick={() => switching.mutate({ activated: !activated })}
      >
        {activated ? 'Pause' : 'Resume'}
      </Button>
      <Button
        icon={muted ? 'sound' : 'mute'}
        busy={switching.isPending}
        onClick={() => switching.mutate({ muted: !muted })}
      >
        {muted ? 'Unmute' : 'Mute'}
      </Button>
      <Button icon="trash" look="danger" onClick={() => setDeleting(true)}>
        Delete
      </Button>
      {error && (
        <div className="basis-full">
          <Notice tone="bad">{error.message}</Notice>
        </div>
      )}
      {deleting && <DeleteCheck id={id} name={name} onClose={() => setDeleting(false)} />}
    </>
  )
}

function DeleteCheck({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const remove = useDeleteCheck()
  return (
    <Confirm
      title="Delete this check?"
      action="Delete"
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(id, {
          onSuccess: async () => {
            announce(`${name} is deleted`)
            await navigate({ to: '/', replace: true })
            queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey.includes(id) })
          },
        })
      }
    >
      <p>
        <strong className="text-ink">{name}</strong> is deleted with all its results. This cannot be undone.
      </p>
    </Confirm>
  )
}
