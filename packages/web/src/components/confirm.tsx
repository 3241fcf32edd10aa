import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'

interface ConfirmProps {
  title: string
  children: ReactNode
  action: string
  busy: boolean
  error: Error | null
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, children, action, busy, error, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="space-y-3 text-soft">{children}</div>
      {error && <Notice tone="bad">{error.message}</Notice>}
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
