import { Link, useNavigate } from '@tanstack/react-router'
import type { CheckGroup } from '@vedette/schema'
import { useState } from 'react'
import { useDeleteGroup } from '../../../api/delete-group.ts'
import { useSwitchGroup } from '../../../api/switch-group.ts'
import { announce } from '../../../components/announcer.tsx'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/confirm.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Icon } from '../../../components/icon.tsx'
import { Notice } from '../../../components/notice.tsx'
import { plural } from '../../../components/number.ts'

export function GroupActions({ group }: { group: CheckGroup }) {
  const { id, activated, muted, checks } = group
  const switching = useSwitchGroup(group)
  const [deleting, setDeleting] = useState(false)
  const close = () => setDeleting(false)
  return (
    <>
      <Link to="/groups/$groupId/edit" params={{ groupId: String(id) }} className="button">
        <Icon name="pencil" /> Edit
      </Link>
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
      {switching.error && (
        <div className="basis-full">
          <Notice tone="bad">{switching.error.message}</Notice>
        </div>
      )}
      {deleting &&
        (checks.length > 0 ? (
          <NotEmpty group={group} onClose={close} />
        ) : (
          <DeleteGroup group={group} onClose={close} />
        ))}
    </>
  )
}

/** What the server would refuse is better said before. */
function NotEmpty({ group: { name, checks }, onClose }: { group: CheckGroup; onClose: () => void }) {
  return (
    <Dialog title="This group is not empty" onClose={onClose}>
      <p className="text-soft">
        <strong className="text-ink">{name}</strong> still has {plural(checks.length, 'check')}, and a group is only
        deleted when it has none, so that no check changes its settings unnoticed. Take its checks out, or delete them,
        and then delete the group.
      </p>
      <div className="mt-5 flex justify-end">
        <Button look="primary" onClick={onClose}>
          All right
        </Button>
      </div>
    </Dialog>
  )
}

function DeleteGroup({ group: { id, name }, onClose }: { group: CheckGroup; onClose: () => void }) {
  const navigate = useNavigate()
  const remove = useDeleteGroup()
  return (
    <Confirm
      title="Delete this group?"
      action="Delete"
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(id, {
          onSuccess: async () => {
            announce(`${name} is deleted`)
            await navigate({ to: '/groups', replace: true })
          },
        })
      }
    >
      <p>
        <strong className="text-ink">{name}</strong> is deleted with its settings. This cannot be undone.
      </p>
    </Confirm>
  )
}
